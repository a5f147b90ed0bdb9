"""``fundstelle verify``."""

import re
import sys
from pathlib import Path

import click

from fundstelle.cli.terminal import say
from fundstelle.cli.verifying.report import Report, Trust, check_answer
from fundstelle.corpus.proof.signing import load_public
from fundstelle.errors import InvalidInput

_UNCHECKED = 3
_LARGEST = 64 * 1024 * 1024
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("answer", type=_FILE)
@click.option("--root", metavar="HEX", help="The root of the release, from its manifest.")
@click.option("--key", type=_FILE, help="The operator's key, as 'fundstelle release key' prints.")
@click.option(
    "--text",
    "texts",
    type=_FILE,
    multiple=True,
    help="The full stored text (UTF-8) of which the answer shows a part.",
)
def verify(answer: Path, root: str | None, key: Path | None, texts: tuple[Path, ...]) -> None:
    """Check a saved ANSWER (JSON, of a lookup in detailed) against the release that it comes from.

    Asks nobody: root and key come from whoever publishes the release, the proof is in the answer.
    What does not fit is named, and what the proof says nothing of.

    Exit codes: 0 all texts are those of the release · 1 something does not fit, or there is no
    proof · 3 nothing is wrong, but something could not be checked.
    """
    if root is None and key is None:
        raise click.UsageError("give --root, --key, or both: an answer cannot vouch for itself")
    if root is not None and not re.fullmatch("[0-9A-Fa-f]{64}", root):
        raise click.UsageError("--root takes 64 hexadecimal digits")
    trust = Trust(
        root.lower() if root else None,
        load_public(_read(key).decode(errors="replace")) if key else None,
        tuple(text for path in texts for text in _read_text(path)),
    )
    report = check_answer(_read(answer), trust)
    _print(report)
    if report.wrong or not (report.proved or report.unchecked):
        sys.exit(1)
    if report.unchecked or report.unknown:
        sys.exit(_UNCHECKED)


def _print(report: Report) -> None:
    for line in report.proved:
        say(f"proved       {line}")
    for line in report.unchecked:
        say(f"not checked  {line}")
    for line in report.unknown:
        say(f"not known    {line}")
    if report.uncovered:
        say(f"not covered  {', '.join(report.uncovered)}")
    for line in report.wrong:
        say(f"wrong        {line}", err=True)
    if not (report.proved or report.unchecked or report.wrong):
        say("no proof in this answer: ask legal_lookup with response_format detailed", err=True)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise InvalidInput(f"{path} is larger than {_LARGEST // 2**20} MB")
    return data


def _read_text(path: Path) -> tuple[str, str]:
    """The text as it is, and without the line end that editors add."""
    text = _read(path).decode(errors="replace")
    return text, text.removesuffix("\n")
