"""Court decisions of every publisher: which adapter reads a file, by what is in it.

Folders may be named as anyone likes; only ``gold-citations…`` (test data) is passed over by name.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.courts import (
    bag,
    bayern,
    bfh,
    bverwg,
    ifg,
    legaldocml_case,
    openlegaldata,
    plain,
    rii,
)
from fundstelle.ingest.sources.decision_text.merge import (
    group_records,
    merge_decisions,
    merge_records,
)
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.patience import limit_each, limited

__all__ = ["group_records", "iter_decisions", "merge_decisions", "merge_records"]

Reader = Callable[[SourceFile], ParsedDecision | Iterable[ParsedDecision | Rejected]]

_TEST_DATA = re.compile(r"(?:^|/)gold-citations[^/]*/")
_NO_DECISIONS = frozenset({".tsv", ".csv", ".md", ".dtd", ".xsd", ".pdf"})
_HEAD_BYTES = 65_536
_PAGES: tuple[tuple[re.Pattern[bytes], Reader], ...] = (
    (re.compile(rb"content__dl|is-details|bundesarbeitsgericht\.de"), bag.parse),
    (re.compile(rb"m-article__body|bundesfinanzhof\.de"), bfh.parse),
    (re.compile(rb"entscheidung-upper|bverwg\.de"), bverwg.parse),
    (re.compile(rb"rsprbox|BAYERN\.RECHT"), bayern.parse),
)


def iter_decisions(files: Iterable[SourceFile]) -> Iterator[ParsedDecision | Rejected]:
    """Every decision in ``files`` as one publisher has it, and every file that cannot be used.

    Metadata must come before the texts it describes; names in alphabetical order see to that.
    """
    registers: list[ifg.Register] = []
    for file in files:
        if _is_passed_over(file):
            continue
        try:
            with limited():
                if ifg.is_register(file):
                    registers.append(ifg.read_register(file))
                    continue
                parsed = _choose(file, registers)(file)
            if isinstance(parsed, ParsedDecision):
                yield parsed
            else:
                yield from limit_each(iter(parsed))
        except RecursionError:
            yield Rejected(file.name, "its elements are nested absurdly deep")
        except Exception as error:  # noqa: BLE001 one file must not end the build
            yield Rejected(file.name, tell_failure(error))


def _is_passed_over(file: SourceFile) -> bool:
    path = PurePosixPath(file.name)
    return path.suffix.lower() in _NO_DECISIONS or _TEST_DATA.search(file.name) is not None


def _choose(file: SourceFile, registers: Iterable[ifg.Register]) -> Reader:
    suffix = PurePosixPath(file.name).suffix.lower()
    head = file.data[:_HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip()
    if suffix in {".json", ".jsonl"} or head[:1] in {b"{", b"["}:
        return openlegaldata.iter_cases
    if suffix in {".html", ".htm", ".xhtml"} or head[:15].lower().startswith(b"<!doctype html"):
        return _choose_page(file)
    if suffix == ".xml" or head.startswith(b"<"):
        return legaldocml_case.parse if b"akomaNtoso" in head[:4096] else rii.parse
    for register in registers:
        if register.names(file):
            return register.parse
    return plain.parse


def _choose_page(file: SourceFile) -> Reader:
    """The court whose page it is, by the classes of its layout."""
    for mark, reader in _PAGES:
        if mark.search(file.data):
            return reader
    raise RejectedFile(file.name, "it is no page of a court known here")
