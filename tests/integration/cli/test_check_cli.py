"""``fundstelle check``: the verdicts on a draft, where they stand, and an exit code for scripts."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fundstelle.cli.checking.check import check
from fundstelle.settings import Settings
from tests.unit.cli.checking.written import write_note, write_pdf, write_run, write_word

GOOD = "Nach § 1 DemoG ist das so."
BAD = "Falsch ist § 999 DemoG."


@pytest.fixture
def settings(demonstration_data: Path) -> Settings:
    return replace(Settings.from_env({}), data=demonstration_data)


def run(settings: Settings, path: Path | str, *options: str, sent: str = "") -> Result:
    return CliRunner().invoke(check, [str(path), *options], obj=settings, input=sent)


def write(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_every_citation_is_printed_with_its_line(settings: Settings, tmp_path: Path) -> None:
    draft = f"# Entwurf\n\n{GOOD}\n{BAD}\nNach § 5 des Mietvertrags nicht.\n"
    done = run(settings, write(tmp_path, "entwurf.md", draft))

    assert done.exit_code == 1
    lines = done.output.splitlines()
    assert "Zeile 3: § 1 DemoG: in Ordnung" in lines
    assert "Zeile 4: § 999 DemoG: falsch" in lines
    assert "2 Zitate geprüft, 1 zu berichtigen." in lines
    assert any(line.startswith("  Zeile 5: § 5 des Mietvertrags") for line in lines)


def test_quotations_that_no_citation_has_are_told(settings: Settings, tmp_path: Path) -> None:
    words = "„Das hat so, wie es hier geschrieben steht, noch nie jemand gesagt.“"
    draft = f"# Entwurf\n\nEr sagte: {words}\n\n{words}\n§ 1 DemoG\n"
    done = run(settings, write(tmp_path, "entwurf.md", draft))

    lines = done.output.splitlines()
    assert lines[0] == "Zeile 6: § 1 DemoG: in Ordnung, Zitat steht dort nicht"
    assert lines[-2].endswith("nicht verglichen: 1")
    assert lines[-1].startswith("  Zeile 3: „Das hat so")


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.docx", write_word([write_run(GOOD), write_run("Falsch") + write_note(1)], [BAD]), ""),
        ("a.pdf", write_pdf([[GOOD], [BAD]]), "Seite 2"),
    ],
)
def test_word_documents_and_pdf_are_checked(
    settings: Settings, tmp_path: Path, name: str, data: bytes, place: str
) -> None:
    done = run(settings, write(tmp_path, name, data), "--quiet")

    assert done.exit_code == 1
    assert done.output.startswith(f"{place or 'Absatz 2, Fußnote 1'}: § 999 DemoG: falsch\n")
    assert "§ 1 DemoG: in Ordnung" not in done.output


def test_exit_codes_are_for_scripts(settings: Settings, tmp_path: Path) -> None:
    assert run(settings, write(tmp_path, "gut.md", GOOD)).exit_code == 0
    assert run(settings, write(tmp_path, "ohne.md", "Kein Zitat.")).exit_code == 0
    assert run(settings, write(tmp_path, "offen.md", "Nach § 1 XyzG.")).exit_code == 0
    altered = GOOD.replace("ist das so", "gilt „Das hat noch nie jemand gesagt.“")
    assert run(settings, write(tmp_path, "zitat.md", altered)).exit_code == 1
    assert run(settings, tmp_path / "fehlt.md").exit_code == 2
    assert run(settings, write(tmp_path, "leer.pdf", b"")).exit_code == 2
    assert run(settings, write(tmp_path, "tag.md", GOOD), "--as-of", "gestern").exit_code == 2


def test_a_draft_may_come_from_another_program_and_go_to_one(settings: Settings) -> None:
    done = run(settings, "-", "--json", sent=f"{GOOD}\n{BAD}")
    lines = [json.loads(line) for line in done.output.splitlines()]

    assert done.exit_code == 1
    assert [(line["place"], line["verdict"]) for line in lines] == [
        ("Zeile 1", "ok"),
        ("Zeile 2", "wrong"),
    ]


def test_what_has_no_verdict_is_in_what_goes_to_another_program(settings: Settings) -> None:
    words = "„Das hat so, wie es hier geschrieben steht, noch nie jemand gesagt.“"
    sent = f"{GOOD}\n\nEr sagte: {words}\n\nNach § 5 des Mietvertrags nicht.\n"
    done = run(settings, "-", "--json", "--quiet", sent=sent)
    lines = [json.loads(line) for line in done.output.splitlines()]

    assert [(line["place"], *line.keys() - {"place"}) for line in lines] == [
        ("Zeile 5", "unread"),
        ("Zeile 3", "unowned"),
    ]
    assert lines[0]["unread"].startswith("§ 5 des Mietvertrags")
    assert lines[1]["unowned"].startswith("„Das hat so")


def test_what_steers_a_terminal_is_written_out(settings: Settings, tmp_path: Path) -> None:
    said = "Nach § 1 DemoG gilt „Das\x1b[32m hat noch nie jemand \x1b[33mgesagt und gehört.“"
    draft = f"Nach Art. 5 \x1b[31mder Satzung nicht. {said}"
    done = run(settings, write(tmp_path, "rot.md", draft))

    assert "\\x1b[31m" in done.output
    assert "\x1b" not in done.output
