"""The text of a draft, and where in the document each place of it is.

Word documents and PDF need the extra ``drafts``. Footnotes of a Word document stand in brackets
where they are referred to, so that what a sentence quotes has its citation in the same sentence.
"""

import logging
import re
import sys
import zipfile
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from fundstelle.cli.usage import WrongUsage

MOST_BYTES = 50 * 1024 * 1024
MOST_CHARS = 2_000_000
MOST_PAGES = 2_000
_MOST_UNPACKED = 64 * 1024 * 1024
_MOST_MARKS = 2_000_000  # "<" in all parts; a long brief has 100,000
_STDIN = "-"

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_GONE = frozenset({f"{_WORD}del", f"{_WORD}moveFrom", _FALLBACK})  # deleted, or there twice
_HIDDEN = f"{_WORD}rPr/{_WORD}vanish"
_OFF = frozenset({"0", "false", "off"})
_SIGNS = {f"{_WORD}tab": " ", f"{_WORD}br": " ", f"{_WORD}cr": " ", f"{_WORD}noBreakHyphen": "-"}
_FONT_OWN = range(0xF000, 0xF100)  # how a font's own characters are written
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,4}")
_PICTURES = re.compile(r"Symbol|Wingdings|Webdings|Marlett", re.IGNORECASE)
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_HYPHENATED = re.compile(r"(?<=[a-zäöüß])[-\u00ad]\n(?=[a-zäöüß])")
_LINE_END = re.compile(r"(?<!\n)\n(?!\s*\n)")
# Where a line that is full goes on in the next: no list, heading or quotation begins there.
_WRAPPED = re.compile(
    r"\n(?<=[^\n]{50}\n)(?:(?<![.!?:;]\n)(?![\s#>|*–-]|\d{1,2}[.)]\s)|(?=[a-zäöüß(§]))"
)


@dataclass(frozen=True, slots=True)
class Document:
    """A draft as text. Parts begin at ``starts``; ``name`` is what the n-th of them is called.

    ``silent`` are parts without text: pages that were scanned.
    """

    text: str
    starts: Sequence[int]
    name: Callable[[int], str]
    silent: Sequence[str] = ()

    def name_place(self, at: int) -> str:
        """Where a place of the text stands: ``Zeile 12``, ``Seite 3``."""
        return self.name(bisect_right(self.starts, at) - 1)


def read_document(path: str) -> Document:
    """The document in a file, by its content; ``-`` is standard input.

    Raises:
        WrongUsage: it cannot be read, is too large, holds no text, or what reads it is missing.
    """
    name = "the input" if path == _STDIN else Path(path).name
    data = _read_bytes(path, name)
    if data.startswith(b"%PDF-"):
        document = _read_pdf(data, name)
    elif data.startswith(b"PK\x03\x04"):
        document = _read_word(data, name)
    else:
        document = _read_plain(data, name)
    if len(document.text) > MOST_CHARS:
        raise WrongUsage(f"{name} has more than {MOST_CHARS:,} characters; check it in parts")
    if not document.text.strip():
        raise WrongUsage(f"{name} holds no text; a scan must be read by an OCR program first")
    return document


def _read_bytes(path: str, name: str) -> bytes:
    try:
        if path == _STDIN:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise WrongUsage(f"{name} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise WrongUsage(f"{name} is larger than {MOST_BYTES // 1024 // 1024} MB")
    return data


def _read_plain(data: bytes, name: str) -> Document:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise WrongUsage(f"{name} is neither UTF-8 text nor a .docx or .pdf file")
    text = text.replace("\r\n", "\n")
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    return Document(_WRAPPED.sub(" ", text), starts, lambda number: f"Zeile {number + 1}")


def _read_pdf(data: bytes, name: str) -> Document:
    with _needing(name, "pypdf", "PDF"):
        import pypdf  # noqa: PLC0415 - an extra

        logging.getLogger("pypdf").setLevel(logging.CRITICAL)
        reader = pypdf.PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise WrongUsage(f"{name} is locked with a password")
        if len(reader.pages) > MOST_PAGES:
            raise WrongUsage(f"{name} has more than {MOST_PAGES:,} pages; check it in parts")
        pages: list[str] = []
        size = 0
        for page in reader.pages:
            pages.append(_join_lines(page.extract_text()))
            size += len(pages[-1])
            if size > MOST_CHARS:
                break
    starts = [0]
    for page_text in pages[:-1]:
        starts.append(starts[-1] + len(page_text) + 1)
    silent = [f"Seite {number}" for number, text in enumerate(pages, 1) if not text.strip()]
    return Document(" ".join(pages), starts, lambda number: f"Seite {number + 1}", silent)


def _join_lines(text: str) -> str:
    """The lines of a page as its sentences go on; empty lines stay."""
    return _LINE_END.sub(" ", _HYPHENATED.sub("", text)).strip()


def _read_word(data: bytes, name: str) -> Document:
    with _needing(name, "python-docx", "Word document"):
        import docx  # noqa: PLC0415 - an extra
        from docx.oxml import parse_xml  # noqa: PLC0415 - an extra

        with zipfile.ZipFile(BytesIO(data)) as archive:
            _check_parts(archive, name)
        document = docx.Document(BytesIO(data))
        notes: dict[str, Any] = {}
        parts = {  # each once, however many relationships name it
            (each.reltype.rpartition("/")[2].removesuffix("s"), each.target_part): None
            for each in document.part.rels.values()
            if each.reltype.endswith(("/footnotes", "/endnotes")) and not each.is_external
        }
        for kind, part in parts:
            for note in parse_xml(part.blob).iter(f"{_WORD}{kind}"):
                notes[f"{kind} {note.get(f'{_WORD}id')}"] = note
        return _Words(notes).read(document.element.body)


def _check_parts(archive: zipfile.ZipFile, name: str) -> None:
    """Refuses what unpacks to far more than it says; the tree of a part takes 200 bytes a mark."""
    if sum(each.file_size for each in archive.infolist()) > _MOST_UNPACKED:
        raise WrongUsage(f"{name} unpacks to more than {_MOST_UNPACKED // 1024**2} MB")
    marks = 0
    for each in archive.infolist():
        marks += archive.read(each).count(b"<")
        if marks > _MOST_MARKS:
            raise WrongUsage(f"{name} has more than {_MOST_MARKS:,} elements; check it in parts")


class _Words:
    """Puts the text of a Word document together, paragraph by paragraph."""

    def __init__(self, notes: dict[str, Any]) -> None:
        self._notes = notes
        self._pieces: list[str] = []
        self._size = 0
        self._starts: list[int] = []
        self._names: list[str] = []
        self._told = 0  # notes that were put in

    def read(self, body: Any) -> Document:
        number = 0
        for paragraph in body.iter(f"{_WORD}p"):
            if self._size > MOST_CHARS:
                break
            if any(parent.tag in _GONE for parent in paragraph.iterancestors()):
                continue
            number += 1
            self._begin(f"Absatz {number}")
            self._read_paragraph(paragraph, f"Absatz {number}")
            self._add("\n")
        names = self._names
        return Document("".join(self._pieces), self._starts, names.__getitem__)

    def _begin(self, name: str) -> None:
        self._starts.append(self._size)
        self._names.append(name)

    def _add(self, words: str) -> None:
        self._pieces.append(words)
        self._size += len(words)

    def _read_paragraph(self, paragraph: Any, name: str) -> None:
        for element in _walk(paragraph):
            kind = str(element.tag).removeprefix(_WORD)
            if sign := _read_sign(element):
                self._add(sign)
            elif kind in {"footnoteReference", "endnoteReference"}:
                note = self._notes.pop(
                    f"{kind.removesuffix('Reference')} {element.get(f'{_WORD}id')}", None
                )
                if note is not None:
                    self._told += 1
                    self._begin(f"{name}, Fußnote {self._told}")
                    self._add(" (" + " ".join(map(_read_words, note.iter(f"{_WORD}p"))) + ")")
                    self._begin(name)


def _read_words(paragraph: Any) -> str:
    return "".join(map(_read_sign, _walk(paragraph))).strip()


def _read_sign(element: Any) -> str:
    """What an element of a run says; "" of others.

    A ``sym`` names a character of a font (ECMA-376 part 1, 17.3.3.30); of one that has pictures for
    letters nobody can say which it is.
    """
    if element.tag == f"{_WORD}t":
        return element.text or ""
    if element.tag != f"{_WORD}sym":
        return _SIGNS.get(element.tag, "")
    named = _HEXADECIMAL.fullmatch(element.get(f"{_WORD}char", ""))
    if named is None or _PICTURES.match(element.get(f"{_WORD}font", "")):
        return _UNKNOWN
    code = int(named[0], 16)
    sign = chr(code - _FONT_OWN.start if code in _FONT_OWN else code)
    return sign if sign.isprintable() else _UNKNOWN


def _walk(paragraph: Any) -> Iterator[Any]:
    """What stands in a paragraph, in its order; nothing deleted or hidden, nor text boxes in it."""
    waiting = list(reversed(paragraph))
    while waiting:
        element = waiting.pop()
        if element.tag in _GONE or element.tag == f"{_WORD}p" or _is_hidden(element):
            continue
        yield element
        waiting += reversed(element)


def _is_hidden(run: Any) -> bool:
    """Whether it is a run that is not printed (ECMA-376 part 1, 17.3.2.41)."""
    mark = run.find(_HIDDEN) if run.tag == f"{_WORD}r" else None
    return mark is not None and mark.get(f"{_WORD}val", "") not in _OFF


@contextmanager
def _needing(name: str, package: str, kind: str) -> Iterator[None]:
    """What a library says of a broken file, or that it is missing, in one sentence."""
    try:
        yield
    except WrongUsage:
        raise
    except ImportError:
        raise WrongUsage(
            f"to read a {kind} {package} is needed: pip install 'fundstelle[drafts]'"
        ) from None
    except Exception as error:  # noqa: BLE001 - a broken file fails in it anywhere
        raise WrongUsage(f"{name} cannot be read as a {kind} ({type(error).__name__})") from None
