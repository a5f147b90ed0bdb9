"""The words of a draft and where they stand in it, whatever it was written with."""

import builtins
import time
from pathlib import Path
from typing import Any

import pytest

from fundstelle.cli.checking import documents
from fundstelle.cli.checking.documents import Document, read_document
from fundstelle.cli.usage import WrongUsage
from tests.unit.cli.checking.written import write_note, write_pdf, write_run, write_word


def read(folder: Path, data: bytes) -> Document:
    path = folder / "entwurf"
    path.write_bytes(data)
    return read_document(str(path))


def place(document: Document, words: str) -> str:
    return document.name_place(document.text.index(words))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places_of_a_text_are_its_lines(tmp_path: Path, end: str) -> None:
    text = end.join(["\ufeffKopf", "", "Nach § 1 DemoG gilt das.", "Nach § 2 DemoG nicht."])
    document = read(tmp_path, text.encode())

    assert document.text.startswith("Kopf")
    assert place(document, "Kopf") == "Zeile 1"
    assert place(document, "§ 1") == "Zeile 3"
    assert place(document, "§ 2") == "Zeile 4"


def test_a_line_that_is_full_goes_on_in_the_next_and_keeps_its_number(tmp_path: Path) -> None:
    long = "Der Anspruch des Klägers folgt nach alledem aus dem Gesetz, und zwar"
    document = read(tmp_path, f"{long}\n§ 1 DemoG.\n- eine Liste\n{long}.\nNeuer Satz.".encode())

    assert f"{long} § 1 DemoG.\n- eine Liste\n{long}.\nNeuer" in document.text
    assert place(document, "§ 1") == "Zeile 2"
    assert place(document, "Neuer") == "Zeile 5"


def test_a_word_document_is_read_with_its_notes_where_they_are_referred_to(tmp_path: Path) -> None:
    quoted = write_run("Es gilt „wer leiht, der gibt zurück.“")
    document = read(
        tmp_path,
        write_word(
            [
                write_run("Erster"),
                quoted + write_note(2) + write_run(" Ende"),
                write_run("Dritter"),
            ],
            ["nie genannt", "§ 1 DemoG."],
        ),
    )

    assert "zurück.“ (§ 1 DemoG.) Ende\n" in document.text
    assert "nie genannt" not in document.text
    assert place(document, "Erster") == "Absatz 1"
    assert place(document, "§ 1 DemoG") == "Absatz 2, Fußnote 1"
    assert place(document, "Ende") == "Absatz 2"
    assert place(document, "Dritter") == "Absatz 3"


def test_what_was_deleted_from_a_word_document_is_gone_and_what_was_added_stands(
    tmp_path: Path,
) -> None:
    gone = f"<w:del>{write_run('alt').replace('w:t', 'w:delText')}</w:del>"
    moved = f"<w:moveFrom>{write_run('fort')}</w:moveFrom>"
    new = f"<w:ins>{write_run('neu')}</w:ins><w:r><w:tab/><w:noBreakHyphen/></w:r>"
    cell = f"<w:tbl><w:tr><w:tc><w:p>{write_run('Zelle')}</w:p></w:tc></w:tr></w:tbl>"
    document = read(tmp_path, write_word([gone + moved + new, f"</w:p>{cell}<w:p>"]))

    assert document.text.split() == ["neu", "-", "Zelle"]


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ("<w:vanish/>", "Es gilt 1."),
        ('<w:vanish w:val="true"/>', "Es gilt 1."),
        ('<w:vanish w:val="0"/>', "Es gilt nicht 1."),
        ("<w:b/>", "Es gilt nicht 1."),
    ],
)
def test_what_a_word_document_hides_is_not_read(tmp_path: Path, mark: str, words: str) -> None:
    hidden = write_run("nicht ").replace("<w:r>", f"<w:r><w:rPr>{mark}</w:rPr>")
    document = read(tmp_path, write_word([write_run("Es gilt ") + hidden + write_run("1.")]))

    assert document.text.strip() == words


@pytest.mark.parametrize(
    ("sign", "read_as"),
    [
        ('w:font="Times New Roman" w:char="00A7"', "§"),
        ('w:font="Times New Roman" w:char="F0A7"', "§"),
        ('w:font="Symbol" w:char="F0A7"', "\ufffd"),
        ('w:char="zz"', "\ufffd"),
        ('w:char="D800"', "\ufffd"),
        (f'w:char="{"F" * 5_000}"', "\ufffd"),
        ("", "\ufffd"),
    ],
)
def test_a_sign_that_word_names_by_its_number_is_read_or_seen_to_be_missing(
    tmp_path: Path, sign: str, read_as: str
) -> None:
    named = f"<w:r><w:sym {sign}/></w:r>"
    document = read(tmp_path, write_word([named + write_run(" 1 DemoG")]))
    assert document.text.strip() == f"{read_as} 1 DemoG"


def test_places_of_a_pdf_are_its_pages(tmp_path: Path) -> None:
    pages = [["Nach § 1 Abs. 1", "DemoG haftet der Verbrau-", "cher."], [], ["Art. 2 GrundG"]]
    document = read(tmp_path, write_pdf(pages))

    assert "§ 1 Abs. 1 DemoG haftet der Verbraucher." in document.text
    assert place(document, "§ 1") == "Seite 1"
    assert place(document, "Art. 2") == "Seite 3"
    assert document.silent == ["Seite 2"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "holds no text"),
        (b" \n", "holds no text"),
        (b"\xff\xfea\x00", "neither UTF-8 text nor"),
        (b"a\x00b", "neither UTF-8 text nor"),
        (b"%PDF-1.7 nothing of it", "cannot be read as a PDF"),
        (b"PK\x03\x04 nothing of it", "cannot be read as a Word document"),
        (write_pdf([[]]), "OCR"),
        (write_word([write_run("x")])[:-40], "cannot be read as a Word document"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(
    tmp_path: Path, data: bytes, said: str
) -> None:
    with pytest.raises(WrongUsage, match=said) as refused:
        read(tmp_path, data)
    assert "\n" not in refused.value.message


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(WrongUsage, match=r"fehlt\.md cannot be read"):
        read_document("/nowhere/fehlt.md")


@pytest.mark.parametrize(
    ("bound", "value", "data"),
    [
        ("MOST_BYTES", 10, b"x" * 11),
        ("MOST_CHARS", 10, b"x" * 11),
        ("MOST_CHARS", 10, write_word([write_run("x" * 11)])),
        ("MOST_PAGES", 1, write_pdf([["a"], ["b"]])),
        ("_MOST_UNPACKED", 100, write_word([write_run("x" * 11)])),
        ("_MOST_MARKS", 20, write_word([write_run("x")] * 9)),
    ],
)
def test_a_draft_has_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, value: int, data: bytes
) -> None:
    monkeypatch.setattr(documents, bound, value)
    with pytest.raises(WrongUsage, match=r"more than|larger than"):
        read(tmp_path, data)


@pytest.mark.parametrize(
    ("data", "package"), [(write_pdf([["a"]]), "pypdf"), (write_word(["a"]), "python-docx")]
)
def test_a_reader_that_is_not_installed_is_named_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, package: str
) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] in {"pypdf", "docx"}:
            raise ModuleNotFoundError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(
        WrongUsage, match=rf"{package} is needed: pip install 'fundstelle\[drafts\]'"
    ):
        read(tmp_path, data)


def test_a_text_takes_the_time_of_its_length(tmp_path: Path) -> None:
    def measure(size: int) -> float:
        data = ("x" * 60 + "\nund ") * (size // 65)
        begin = time.thread_time()
        read(tmp_path, data.encode())
        return time.thread_time() - begin

    measure(10_000)
    assert measure(1_600_000) < 16 * max(measure(200_000), 0.02)


def test_notes_are_read_once_however_many_relationships_name_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oxml = pytest.importorskip("docx.oxml")
    parsed = []
    parse = oxml.parse_xml

    def count(blob: bytes) -> Any:
        parsed.append(blob)
        return parse(blob)

    monkeypatch.setattr(oxml, "parse_xml", count)
    word = write_word([write_run("Text") + write_note(1)], ["Nach § 1 DemoG."], named=30)
    assert place(read(tmp_path, word), "§ 1 DemoG") == "Absatz 1, Fußnote 1"
    assert sum(b"footnote" in blob for blob in parsed) == 1
