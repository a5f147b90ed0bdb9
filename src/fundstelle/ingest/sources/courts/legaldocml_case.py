"""Decisions in LegalDocML (Akoma Ntoso 3.0) as the federal legal information system gives them out.

Source: akomantoso30.xsd, element ``judgment``, with the extensions of the namespace ``ris``.
"""

from datetime import date

from lxml import etree
from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.headings import find_part
from fundstelle.ingest.sources.decision_text.html import read_blocks, read_text
from fundstelle.ingest.sources.decision_text.ids import (
    read_court,
    read_day,
    read_dockets,
    read_ecli,
    read_type,
    spell_docket,
)
from fundstelle.ingest.sources.decision_text.record import Head, write_blocks
from fundstelle.ingest.sources.decision_text.text import DecisionWriter, count_chars
from fundstelle.ingest.sources.decision_text.xml import parse_xml
from fundstelle.law.decisions import DecisionSource, LowerInstance, PartKind

SOURCE_TYPE = "legaldocml"
ROOT = "akomaNtoso"
_SITE = "https://testphase.rechtsinformationen.bund.de/case-law/"
_PARTS = {
    "decision": PartKind.TENOR,
    "background": PartKind.TATBESTAND,
    "motivation": PartKind.GRUENDE,
    "introduction": PartKind.HEAD,
}


def parse(file: SourceFile) -> ParsedDecision:
    """The decision of one file.

    Raises:
        RejectedFile: it is no judgment in LegalDocML, or has no docket, court or text.
    """
    root = parse_xml(file, {ROOT})
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
    judgment = root.find("judgment")
    if judgment is None:
        raise RejectedFile(file.name, "it is no judgment")
    court = read_court(f"{_find(judgment, 'gerichtstyp')} {_find(judgment, 'gerichtsort')}")
    head = Head(
        court=court,
        dockets=_read_dockets(judgment),
        issued_on=_read_day(judgment),
        decision_type=read_type(_find(judgment, "dokumenttyp"), court),
        source=_find_source(judgment),
        ecli=read_ecli(_find_alias(judgment, "ECLI") or _find(judgment, "ecli")),
        panel=_find(judgment, "spruchkoerper"),
        title=_find(judgment, "titelzeile"),
        lower_instances=tuple(
            _read_instance(each) for each in judgment.iter("vorgehendeEntscheidung")
        ),
    )
    decision = head.build(file.name)
    writer = DecisionWriter()
    source_chars = sum(_write_part(writer, part) for part in _list_parts(judgment))
    if writer.is_empty:
        raise RejectedFile(file.name, "it has no text")
    return ParsedDecision(decision, writer.finish(decision.decision_id, source_chars))


def _find_source(judgment: _Element) -> DecisionSource:
    number = _find_alias(judgment, "Dokumentnummer")
    return DecisionSource(SOURCE_TYPE, number, _SITE + number if number else None)


def _list_parts(judgment: _Element) -> list[_Element]:
    body = judgment.find("judgmentBody")
    analysed = [
        each
        for tag in ("leitsatz", "orientierungssatz")
        for each in judgment.find("meta").iter(tag)
    ]
    return [*analysed, *(body if body is not None else ())]


def _write_part(writer: DecisionWriter, part: _Element) -> int:
    term = next((v for k, v in part.attrib.items() if str(k).endswith("domainTerm")), "")
    kind = find_part(str(term)) or _PARTS.get(str(part.tag), PartKind.FULL_TEXT)
    writer.begin_part(kind)
    write_blocks(writer, read_blocks(part))
    return count_chars("".join(map(str, part.itertext())))


def _find(judgment: _Element, tag: str) -> str:
    return read_text(next(judgment.iter(tag), None))


def _find_alias(judgment: _Element, name: str) -> str:
    aliases = (each for each in judgment.iter("FRBRalias") if each.get("name") == name)
    return next((each.get("value") or "" for each in aliases), "")


def _read_dockets(judgment: _Element) -> tuple[str, ...]:
    own = next(judgment.iter("aktenzeichenListe"), None)
    found = [read_text(each) for each in own] if own is not None else []
    return read_dockets(", ".join(found or [_find(judgment, "docNumber")]))


def _read_day(judgment: _Element) -> date | None:
    stamp = next((each.get("date") for each in judgment.iter("FRBRdate")), None)
    return read_day(stamp or "")


def _read_instance(element: _Element) -> LowerInstance:
    fields = {str(each.tag): read_text(each) for each in element}
    court = f"{fields.get('gerichtstyp', '')} {fields.get('gerichtsort', '')}".strip()
    docket = fields.get("aktenzeichen")
    return LowerInstance(
        text=", ".join(fields.values()),
        court=read_court(court) or None,
        docket=spell_docket(docket) if docket else None,
        issued_on=read_day(fields.get("entscheidungsdatum", "")),
    )
