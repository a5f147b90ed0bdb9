"""Reading a written reference: ids, identifiers and citations alike."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from fundstelle.citations.names import LawName, LawNames
from fundstelle.citations.parse import parse
from fundstelle.law.citations import EuCitation, NormCitation, Target
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Statute
from fundstelle.lookup import misses
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.identifiers import read_eli
from fundstelle.lookup.library import Library

_NORM_URI = "legal://norm/"
_SIGNS = re.compile(r"§|\b(?:art|abs|satz|nr|anl)", re.IGNORECASE)
_SECTION = re.compile(r"§|&sect;|paragra|section", re.IGNORECASE)
_ANAPHORA = re.compile(
    r"\b(?:vorschrift|norm|bestimmung|regelung|absatz|abs|satz|nummer|nr|buchst)\b", re.IGNORECASE
)
_FORMULA = re.compile(
    r"(?P<unit>Präambel|Eingangsformel|Schlussformel|Inhaltsübersicht)"
    r"(?: (?:des|der|zum))? (?P<law>.+)",
    re.IGNORECASE,
)
_ANNEX = re.compile(r"anlage-?(.*)")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, and what was changed to read it, in words."""

    targets: tuple[Target, ...]
    normalised: tuple[str, ...] = ()


def read(written: str, library: Library) -> Reading | Miss:
    """The targets of a written reference, or the miss if it is none."""
    written = written.removeprefix(_NORM_URI)
    if written.startswith(("de/", "eu/")):
        return _read_id(written, library)
    reading = _parse(written, library.names)
    if reading.targets:
        return (_is_bare(reading) and _read_small(written, library.names)) or reading
    if "/" in written and " " not in written and _is_id(f"de/{written.lower()}", library):
        return _read_id(f"de/{written.lower()}", library)
    eli = read_eli(written)
    if eli is not None:
        return Reading((eli,))
    return _read_formula(written, library) or _read_name(written, library)


@lru_cache(maxsize=4096)
def _parse(written: str, names: LawNames) -> Reading:
    # "BBiG§84AnO" is the name of a law, not a section of one
    if "§" in written and any(law.abbreviation == written for law in names.find(written)):
        return Reading((NormCitation(written),))
    parsed = parse(written, names)
    return Reading(tuple(parsed.targets), tuple(parsed.normalised))


def _is_bare(reading: Reading) -> bool:
    return all(isinstance(one, NormCitation) and one.law is None for one in reading.targets)


def _read_small(written: str, names: LawNames) -> Reading | None:
    """``§ 8 weg``: a last word that is an ordinary one too, if it is the name of a law."""
    head, _, last = written.rstrip(" .,;:)").rpartition(" ")
    known = names.find(last) if last.islower() else ()
    if not known:
        return None
    name = known[0].abbreviation
    reading = _parse(f"{head} {name}", names)
    return Reading(reading.targets, (*reading.normalised, f"{last} was read as {name}"))


def _read_id(written: str, library: Library) -> Reading | Miss:
    """An id of ours that names no norm held: the law, or the citation it stands for."""
    jurisdiction, _, rest = written.partition("/")
    name, _, number = rest.strip("/").partition("/")
    statute = library.store.statutes.get(f"{jurisdiction}/{name}")
    if jurisdiction == "eu":
        unit, _, value = number.partition("_")
        kind = {"art": "Art", "recital": "Erwg", "annex": "Anhang"}.get(unit)
        return Reading((EuCitation(name, None, kind, value or None),))
    if statute is None:
        return misses.law_unknown(written, name.replace("-", " "), library)
    law = statute.abbreviation
    if not number:
        return Reading((NormCitation(law),))
    annex = _ANNEX.fullmatch(number)
    if annex:
        return Reading((NormCitation(law, "Anlage", annex[1]),))
    return Reading((NormCitation(law, "§", number),))


def _read_formula(written: str, library: Library) -> Reading | None:
    """``Präambel GG``, ``Eingangsformel des BGB``."""
    found = _FORMULA.fullmatch(written)
    known = library.names.find(found["law"]) if found else ()
    if found is None or not known:
        return None
    return Reading((NormCitation(known[0].abbreviation, found["unit"].capitalize()),))


def _read_name(written: str, library: Library) -> Reading | Miss:
    """A bare name of a law; else the miss for a text that cites nothing."""
    known = library.names.find(written)
    if known:
        first = known[0]
        if first.celex:
            return Reading((EuCitation(first.celex, first.abbreviation),))
        return Reading((NormCitation(first.abbreviation),))
    if _SIGNS.search(written) and any(c.isdigit() for c in written) and _ANAPHORA.search(written):
        return misses.no_law_named(written)
    if len(written.split()) <= 2 and written[:1].isupper() and library.names.suggest(written, 1):
        return misses.law_unknown(written, written, library)
    return misses.not_parseable(written)


def _is_id(norm_id: str, library: Library) -> bool:
    return "/".join(norm_id.split("/")[:2]) in library.store.statutes


def find_statute(library: Library, written: str, target: NormCitation) -> Statute | Miss:
    """The law of a citation as this build holds it."""
    found = find_namesakes(library, written, target)
    return found if isinstance(found, Miss) else found[0]


def find_namesakes(library: Library, written: str, target: NormCitation) -> list[Statute] | Miss:
    """The law of a citation; behind it other laws of that name, if it alone bears it exactly."""
    name = target.law
    if name is None:
        names_a_law = library.names.find(written.rsplit(maxsplit=1)[-1])
        return misses.not_parseable(written) if names_a_law else misses.no_law_named(written)
    known = library.names.find(name)
    held = list_held(library, known)
    if not held and fold(name) == "sgb":
        held = list_books(library)
    if len(held) > 1:
        held.sort(key=lambda statute: statute.abbreviation != name)
    if held:
        is_clear = len(held) == 1 or held[0].abbreviation == name
        return held if is_clear else misses.several_laws(written, name, held, target.number)
    if known:
        return misses.law_not_held(written, known[0].abbreviation)
    return misses.law_unknown(written, name, library)


def find_german_namesake(library: Library, written: str, target: EuCitation) -> Statute | None:
    """The law of the Federation that a § means where an EU act bears the same name (EUV, GGV)."""
    if target.law is None or target.number is None or not _SECTION.search(written):
        return None
    held = list_held(library, [law for law in library.names.find(target.law) if not law.celex])
    return held[0] if held else None


def list_held(library: Library, known: Sequence[LawName]) -> list[Statute]:
    """The laws of these names that can be meant: hand-kept before others, listed before removed."""
    statutes = library.store.statutes
    pairs = [(law, statutes[i]) for law in known if (i := law.statute_id or "") in statutes]
    if len(pairs) > 1:
        pairs = [pair for pair in pairs if pair[0].by_hand] or pairs
        pairs = [pair for pair in pairs if pair[1].listed] or pairs
    return [statute for _, statute in pairs]


def list_books(library: Library) -> list[Statute]:
    """The books of the Sozialgesetzbuch held, in their order."""
    books = [
        s for s in library.store.statutes.values() if re.fullmatch(r"SGB [IVX]+", s.abbreviation)
    ]
    return sorted(books, key=lambda statute: _ROMAN.get(statute.abbreviation[4:], 99))


_ROMAN = {
    value: number
    for number, value in enumerate(
        ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV"), 1
    )
}
