"""The header of a law: the first ``norm`` of its file.

Source: gii-norm.dtd, elements ``jurabk`` to ``standangabe``.
"""

import re
from datetime import date

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile, StatuteHeader
from fundstelle.ingest.sources.gii.text import read_inline
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.ingest.text.lines import collapse
from fundstelle.law.norms import StandNote, Statute

_GAZETTE = re.compile(
    r"(?P<name>BGBl|RGBl|BStBl|GBl DDR|BAnz|eBAnz|RAnz|VkBl|GBl)\.?(?: (?P<part>I{1,3}))?"
)
_TAIL = r"(?P<tail>(?: ?[(\[][^()\[\]]*[)\]])*)"
_PAGE = re.compile(r"(?P<year>\d{4}), (?P<pages>\d+(?:, \d+)*)" + _TAIL)
_NUMBER = re.compile(r"(?P<year>\d{4}), Nr\.? (?P<number>\d+[a-z]?)(?:, (?P<pages>\d+))?" + _TAIL)
_KIND = re.compile(
    r"(?P<regulation>[vV]erordnung|\bVO\b|[aA]nordnung|-Ordnung)|(?P<statute>[gG]esetz|buch\b|[vV]ertrag)"
)
_FORMULA = re.compile(
    r"(?P<statute>Gesetz beschlossen|Grundgesetz)|(?P<regulation>verordne[nt]|anordnet)"
)
_REGULATION_NAME = re.compile(r".*(?:V|VO|Ano|ano|APrV)(?: ?\d{4}| [A-Z]\w*)?")
_STATUTE = "statute"
_REGULATION = "regulation"


def build_header(file: SourceFile, norm: _Element) -> StatuteHeader:
    """The names of a law.

    Raises:
        RejectedFile: its first norm names no law.
    """
    metadata = norm.find("metadaten")
    names = () if metadata is None else _read_names(metadata)
    if metadata is None or not names:
        raise RejectedFile(file.name, "its first norm names no law (jurabk)")
    return StatuteHeader(
        slug=file.slug,
        publisher_id=_publisher_id(norm),
        abbreviation_juris=names[0],
        abbreviation_official=read_inline(metadata.find("amtabk")) or None,
        title=read_inline(metadata.find("langue")) or names[0],
        issued_on=_read_date(metadata.findtext("ausfertigung-datum")),
    )


def build_statute(  # noqa: PLR0913 the parts of a header
    file: SourceFile,
    norm: _Element,
    *,
    statute_id: str,
    abbreviation: str,
    stand: date,
    formula: str,
    norm_count: int,
) -> Statute:
    """The law as a whole; *formula* is the text of its Eingangsformel, which tells its kind.

    Its database abbreviations are those of all its norms: some have one that the header lacks.

    Raises:
        RejectedFile: its first norm names no law.
    """
    header = build_header(file, norm)
    metadata = norm.find("metadaten")
    assert metadata is not None
    short_title = read_inline(metadata.find("kurzue")) or None
    return Statute(
        statute_id=statute_id,
        slug=header.slug,
        publisher_id=header.publisher_id,
        abbreviation=abbreviation,
        abbreviations_juris=_read_names(norm.getroottree().getroot()),
        abbreviation_official=header.abbreviation_official,
        title=header.title,
        short_title=short_title,
        issued_on=header.issued_on,
        publication=read_publication(metadata),
        stand_notes=tuple(_iter_stand(metadata)),
        document_kind=read_kind(header.title, abbreviation, formula),
        listed=file.listed,
        source_url=f"{FEDERAL_LAW.url}{file.slug}/",
        stand=stand,
        norm_count=norm_count,
        source_type=FEDERAL_LAW.source_type,
    )


def _read_names(element: _Element) -> tuple[str, ...]:
    """Every ``jurabk`` below an element, each once."""
    names = (collapse(name.text or "") for name in element.iter("jurabk"))
    return tuple(dict.fromkeys(name for name in names if name))


def _iter_stand(metadata: _Element) -> list[StandNote]:
    return [
        StandNote(
            collapse(note.findtext("standtyp") or ""), read_inline(note.find("standkommentar"))
        )
        for note in metadata.iter("standangabe")
    ]


def _publisher_id(norm: _Element) -> str:
    return str(norm.get("doknr") or "").strip()


def _read_date(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "").strip())
    except ValueError:
        return None


def read_publication(metadata: _Element) -> str | None:
    """Where the law was published: ``BGBl. I 2001 S. 3138``, since 2023 ``BGBl. 2023 I Nr. 88``.

    What no rule covers stays as the publisher writes it.
    """
    found = metadata.find("fundstelle")
    if found is None:
        return None
    gazette = collapse(found.findtext("periodikum") or "")
    place = collapse(found.findtext("zitstelle") or "")
    return format_publication(gazette, place) or None


def format_publication(gazette: str, place: str) -> str:
    """Gazette and place in the canonical form."""
    named = _GAZETTE.fullmatch(gazette)
    if named is None:
        return f"{gazette} {place}".strip()
    name = named["name"] if named["name"].endswith(("DDR", "Anz")) else f"{named['name']}."
    name = name.replace("GBl DDR", "GBl. DDR")
    part = f" {named['part']}" if named["part"] else ""
    if match := _PAGE.fullmatch(place):
        return f"{name}{part} {match['year']} S. {match['pages']}{match['tail']}"
    if match := _NUMBER.fullmatch(place):
        pages = f" S. {match['pages']}" if match["pages"] else ""
        return f"{name} {match['year']}{part} Nr. {match['number']}{pages}{match['tail']}"
    return f"{name}{part} {place}"


def read_kind(title: str, abbreviation: str, formula: str) -> str:
    """``statute`` or ``regulation``: the enacting formula says it, else title and abbreviation."""
    for pattern, words in ((_FORMULA, formula), (_KIND, title)):
        if match := pattern.search(words):
            return _REGULATION if match["regulation"] else _STATUTE
    return _REGULATION if _REGULATION_NAME.fullmatch(abbreviation) else _STATUTE
