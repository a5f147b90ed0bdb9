"""What is printed steers no terminal, whoever chose the words."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import TextColumn

from fundstelle import cli as command_line
from fundstelle.cli.ingest import Lines, _Bars
from fundstelle.cli.terminal import escape
from fundstelle.errors import CorpusError

NAME = "a\x1b[2J\x1b]0;root\x07\x9b31m\u202e\udcff\rb"
ESCAPED = r"a\x1b[2J\x1b]0;root\x07\x9b31m\u202e\udcff\rb"


def test_what_steers_is_written_out() -> None:
    assert escape(NAME) == ESCAPED


@pytest.mark.parametrize(
    "text", ["§ 823 BGB", "Größe: 1\u00a0024", "one\ttwo\nthree", "…", "C:\\data"]
)
def test_what_is_read_stays(text: str) -> None:
    assert escape(text) == text


def test_an_error_is_printed_escaped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise CorpusError(f"{NAME} is damaged")

    monkeypatch.setattr(command_line, "cli", fail)
    with pytest.raises(SystemExit):
        command_line.main()
    assert capsys.readouterr().err == f"fundstelle: {ESCAPED} is damaged\n"


def test_notes_of_a_build_are_printed_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    lines.note(f"rejected {NAME}: [red]no law[/red]")
    lines.start(NAME, 0, "laws")
    assert capsys.readouterr().err == f"rejected {ESCAPED}: [red]no law[/red]\n{ESCAPED} …\n"


def test_bars_of_a_build_are_drawn_escaped() -> None:
    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=False, width=200)
    bars = Bars(TextColumn("{task.description}", markup=False), console=console)
    with bars:
        shown = _Bars(bars)
        shown.note(f"rejected {NAME}")
        shown.start(f"[red]{NAME}", 1, "laws")
    assert f"rejected {ESCAPED}\n" in drawn.getvalue()
    assert f"[red]{ESCAPED}" in drawn.getvalue()
    assert "\x1b]" not in drawn.getvalue()
