"""Decisions as plain text without metadata, headings and Randnummern often run together.

``Tatbestand1Die Parteien streiten`` is a heading, a Randnummer and a sentence. Who decided is told
only by the text itself; where it does not say, the id is made of the words.
"""

import hashlib
import re
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from fundstelle.citations.decisions.courts import find_last_court
from fundstelle.citations.decisions.dockets import CORE, read_docket
from fundstelle.citations.text.dates import DATE
from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.ids import read_day, read_dockets, read_type
from fundstelle.ingest.sources.decision_text.pdf_text import decode_text, write_print
from fundstelle.ingest.sources.decision_text.plain_text import write_run
from fundstelle.ingest.sources.decision_text.record import Head
from fundstelle.law.decisions import (
    UNKNOWN_COURT,
    Decision,
    DecisionSource,
    DecisionText,
    DecisionType,
    PartKind,
)

SOURCE_TYPE = "plain"
_FEWEST_WORDS = 40
_HEAD_CHARS = 1_500
_LINES = 12  # a text with fewer lines is run together
_LUXEMBOURG = re.compile(
    r"\s*(?P<type>URTEIL|BESCHLUSS|GUTACHTEN)\s+DES\s+(?P<court>GERICHTSHOFS|GERICHTS)\b"
    r"[^\d]{0,60}(?P<day>\d{1,2}\.\s?\w+\s\d{4})"
)
_CASE = re.compile(
    r"In de[rn] (?:verbundenen )?Rechtssachen?\s*(?P<dockets>[CT]\W?\d+/\d\d(?:\s?P)?"
    r"(?:(?:,|\sund|\sbis)\s[CT]\W?\d+/\d\d(?:\s?P)?)*)"
)
_ADDRESS = re.compile(r"https?://\S{0,300}?docid=(?P<number>[A-Z]{4}\d{1,20})\S{0,300}")
_OWN_TYPE = (  # a Randnummer may be glued before
    (DecisionType.URTEIL, re.compile(r"(?:Das|Dieses) Urteil ist\b|Dieses Urteil\b")),
    (DecisionType.BESCHLUSS, re.compile(r"(?:Der|Dieser) Beschlu(?:ss|ß) ist\b|Dieser Beschlu")),
    (DecisionType.GERICHTSBESCHEID, re.compile(r"(?:Der|Dieser) Gerichtsbescheid (?:ist|gilt)\b")),
)
_WORD = re.compile(r"[^\W\d]{3,}")
_OPENING_CHARS = 3_000
_FORMULA = re.compile(  # "…hat das Amtsgericht Musterstadtauf die mündliche Verhandlung vom …"
    r"hat\s(?:das|der)\s(?P<court>[^;:]{3,120}?)\s?auf\s?die\s?mündliche\s?Verhandlung\s?vom"
    r"[^;:]{0,400}?erkannt"
)
_PRONOUNCED = re.compile(rf"Verkündet\s+am:?\s+({DATE})")


def parse(file: SourceFile) -> ParsedDecision:
    """The decision of one text.

    Raises:
        RejectedFile: it is no text of a decision.
    """
    text = decode_text(file)
    if len(_WORD.findall(text)) < _FEWEST_WORDS:
        raise RejectedFile(file.name, "it has no text of a decision")
    head = _read_luxembourg(text, file) or _read_printed_head(text, file)
    decision = head.build(file.name) if head else _name_by_words(text, file)
    glued = text.count("\n") < _LINES
    words = (write_run if glued else write_print)(text, decision.decision_id)
    if decision.decision_type is DecisionType.OTHER and _is_judgment(words, text):
        decision = replace(decision, decision_type=DecisionType.URTEIL)
    return ParsedDecision(decision, words)


def _is_judgment(words: DecisionText, text: str) -> bool:
    """Tatbestand and Entscheidungsgründe make an Urteil (§ 313 ZPO), or a Gerichtsbescheid."""
    kinds = {part.kind for part in words.parts}
    parted = {PartKind.TATBESTAND, PartKind.ENTSCHEIDUNGSGRUENDE} <= kinds
    return parted and "erichtsbescheid" not in text


def _read_luxembourg(text: str, file: SourceFile) -> Head | None:
    """``URTEIL DES GERICHTSHOFS (Zweite Kammer) 7. Juli 2016 … In der Rechtssache C-70/15``."""
    title = _LUXEMBOURG.match(text)
    case = _CASE.search(text) if title else None
    if title is None or case is None:
        return None
    return Head(
        court="EuGH" if title["court"] == "GERICHTSHOFS" else "EuG",
        dockets=read_dockets(case["dockets"]),
        issued_on=read_day(title["day"]),
        decision_type=read_type(title["type"]),
        source=_find_source(text, file),
    )


def _read_printed_head(text: str, file: SourceFile) -> Head | None:
    """A print that begins with court and docket in lines of their own."""
    lines = [" ".join(line.split()) for line in text[:_HEAD_CHARS].split("\n")]
    court = docket = None
    for line in filter(None, lines):
        court = court or _read_whole_court(line)
        docket = docket or _read_whole_docket(line)
    if court is None or docket is None:
        return None
    named = re.search(rf"(?:vom|am|Verkündet am:?)\s+({DATE})", text[: 2 * _HEAD_CHARS])
    return Head(
        court=court,
        dockets=(docket,),
        issued_on=read_day(named[1]) if named else None,
        decision_type=_find_printed_type(lines),
        source=_find_source(text, file),
    )


def _read_whole_court(line: str) -> str | None:
    titled = line.title() if line.isupper() else line
    court = find_last_court(titled, 0, len(titled))
    if court is None or (court.start, court.end) != (0, len(titled)):
        return None
    return court.name


def _read_whole_docket(line: str) -> str | None:
    written = re.sub(r"^(?:Az\.?:?|Aktenzeichen:?|BVerwG|OVG|VGH|VG)\s+", "", line)
    core = CORE.search(written)
    docket = read_docket(written, core, 0) if core else None
    whole = docket is not None and (docket.start, docket.end) == (0, len(written))
    return docket.text if docket is not None and whole else None


def _find_printed_type(lines: list[str]) -> DecisionType:
    for line in lines:
        letters = "".join(line.split())
        if letters.casefold() in {"urteil", "beschluss", "beschluß", "gerichtsbescheid"}:
            return read_type(letters)
    return DecisionType.OTHER


def _name_by_words(text: str, file: SourceFile) -> Decision:
    """A decision that does not say whose it is: its id is made of its words, white space aside."""
    digest = hashlib.sha256("".join(text.split()).encode()).hexdigest()[:12]
    kinds = [kind for kind, pattern in _OWN_TYPE if pattern.search(text)]
    court, day = _read_formula(text[:_OPENING_CHARS])
    if court is not None:
        kinds = [DecisionType.URTEIL]  # what a court "für Recht erkannt" has
    unnamed = Decision(
        decision_id=f"de/{UNKNOWN_COURT}/{digest}",
        court=court or UNKNOWN_COURT,
        panel=None,
        dockets=(),
        issued_on=day,
        decision_type=kinds[0] if len(kinds) == 1 else DecisionType.OTHER,
        ecli=None,
        title=None,
        norms=None,
        lower_instances=(),
        sources=(),
    )
    return replace(unnamed, sources=(_find_source(text, file),))


def _read_formula(opening: str) -> tuple[str | None, date | None]:
    """Court and day as the opening of a judgment names them; its docket stands elsewhere."""
    formula = _FORMULA.search(opening)
    if formula is None:
        return None, None
    court = find_last_court(opening, formula.start("court"), formula.end("court"))
    pronounced = _PRONOUNCED.search(opening, 0, formula.start())
    day = read_day(pronounced[1]) if pronounced else None
    return (court.name, day) if court is not None else (None, None)


def _find_source(text: str, file: SourceFile) -> DecisionSource:
    address = _ADDRESS.search(text)
    if address is not None:
        return DecisionSource(SOURCE_TYPE, address["number"], address[0])
    return DecisionSource(SOURCE_TYPE, PurePosixPath(file.name).name, None)
