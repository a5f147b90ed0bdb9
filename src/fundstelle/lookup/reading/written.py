"""Reading a written reference: ids, identifiers and citations alike."""

import re
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.citations.text.folding import fold_long
from fundstelle.law.citations import EuCitation, NormCitation, Target
from fundstelle.law.identifiers import drop_zeros_of_id, is_id
from fundstelle.law.norms import NormKind, Statute
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import laws as law_misses
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.reading.identifiers import Eli, read_eli

_NORM_URI = "legal://norm/"
_SIGNS = re.compile(r"§|\b(?:art|abs|satz|nr|anl)", re.IGNORECASE)
_ANAPHORA = re.compile(
    r"\b(?:vorschrift|norm|bestimmung|regelung|absatz|abs|satz|nummer|nr|buchst)\b", re.IGNORECASE
)
_FORMULA = re.compile(
    r"(?P<unit>Präambel|Eingangsformel|Schlussformel|Inhaltsübersicht)"
    r"(?: (?:des|der|zum))? (?P<law>.+)",
    re.IGNORECASE,
)
_PROTOCOL = re.compile(  # as treaties count them: "Protokoll (Nr. 7) zum AEUV"
    r"Proto(?:k|c)oll? \(?(?:Nr|No)\.? ?(?P<number>\d{1,3})\)?"
    r"(?: (?:des|der|zum|zur))? (?P<law>.+)",
    re.IGNORECASE,
)
_ANNEX = re.compile(r"anlage-?(.*)")
# An id, and what may stand behind it; a full stop or comma at its end is none of it.
_ID = re.compile(r"(?P<id>[\w/~:.\-]*[\w/~])[.,;]?(?P<rest>\s.*)?", re.DOTALL)
# What a word in an id of an EU act is in a citation.
_EU_KINDS = {"art": "Art", "recital": "Erwg", "annex": "Anhang", "protocol": "Protokoll"}
_LEAST_TITLE = 25  # characters: a shorter text is looked for among the names
_LONGEST_RULES = 2  # words of the names of rules that are no law: "TA Luft"
_READINGS = 4_096  # kept for each build's names; then started over ...
_LONGEST_KEPT, _MOST_KEPT = 120, 8  # ... characters and targets of one: a list is as large as 100


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, what was changed to read it, in words, and the parts that were not read.

    ``statute``: of which law it is, where an id says so; another may go by the same name.
    """

    targets: tuple[Target, ...]
    normalised: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()
    statute: Statute | None = None


# Weak, so that the names of a build that was replaced go with it.
_readings: WeakKeyDictionary[LawNames, dict[str, Reading]] = WeakKeyDictionary()


def read(written: str, library: Library) -> Reading | Miss:
    """The targets of a written reference, or the miss if it is none."""
    written = written.removeprefix(_NORM_URI)
    if is_id(written):
        return _read_id_and_rest(written, library)
    reading = _parse(written, library.names)
    if reading.targets:
        titled = _read_title(written, library)
        small = None if titled else _is_bare(reading) and _read_small(written, library.names)
        return titled or small or reading
    small = _read_small_first(written, library.names)
    if small:
        return small
    if "/" in written and " " not in written and _is_id(f"de/{written.lower()}", library):
        return _read_id(f"de/{written.lower()}", library)
    eli = read_eli(written)
    if eli is not None:
        return _read_eli(eli, library)
    named = _read_formula(written, library) or _find_titled(written, library)
    return named or _read_name(written, library)


def _parse(written: str, names: LawNames) -> Reading:
    """As ``_parse_anew``; what one build's names make of a text is kept as long as they are."""
    kept = _readings.get(names)
    if kept is None:
        kept = _readings[names] = {}
    reading = kept.get(written)
    if reading is None:
        reading = _parse_anew(written, names)
        if len(written) <= _LONGEST_KEPT and len(reading.targets) <= _MOST_KEPT:
            if len(kept) >= _READINGS:
                kept.clear()
            kept[written] = reading
    return reading


def _parse_anew(written: str, names: LawNames) -> Reading:
    # "BBiG§84AnO" is the name of a law, not a section of one
    if "§" in written and any(law.abbreviation == written for law in names.find(written)):
        return Reading((NormCitation(written),))
    if written.count("§") > 1:
        for name in names.signed:  # the law called "§ 118a EnWG-SubVO"
            written = written.replace(name, name.lstrip("§ "))
    parsed = parse(written, names)
    notes = parsed.normalised
    if not notes and written[:1].isalpha() and names.match(written, 0) is not None:
        is_cited = any(getattr(target, "number", None) for target in parsed.targets)
        notes = ("the law stands in front",) if is_cited else ()  # "BGB § 823"
    return Reading(parsed.targets, notes, parsed.unparsed)


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
    return _correct(reading, f"{last} was read as {name}")


def _read_small_first(written: str, names: LawNames) -> Reading | None:
    """``weg 44``: the same in front of a number."""
    first, _, number = written.strip().partition(" ")
    known = names.find(first) if first.islower() and number[:1].isdigit() else ()
    if not known:
        return None
    name = known[0].abbreviation
    reading = _parse(f"{name} {number}", names)
    if not reading.targets:
        return None
    return _correct(reading, f"{first} was read as {name}")


def _correct(reading: Reading, note: str) -> Reading:
    return replace(reading, normalised=(*reading.normalised, note))


def _read_id_and_rest(written: str, library: Library) -> Reading | Miss:
    """An id of ours, and what stands behind it: ``de/bgb/433 Abs. 1``, ``de/bgb/433.``.

    What is no part of an id and no place in its norm makes no citation: nothing is denied by it.
    """
    found = _ID.fullmatch(written)
    if found is None:
        return misses.not_parseable(written)
    rest = (found["rest"] or "").strip()
    identity = _fold_id(found["id"])
    notes: tuple[str, ...] = ()
    norm = library.store.find_norm(identity)
    if norm is None and (plain := drop_zeros_of_id(identity)) != identity:
        norm = library.store.find_norm(plain)  # else it may be the id of a decision, with its day
        notes = (f"{identity} was read as {plain}",) if norm is not None else ()
        identity = plain if norm is not None else identity
    if not rest and (norm is None or not notes):
        by_id = _read_id(identity, library)
        return by_id if isinstance(by_id, Miss) or not notes else _correct(by_id, *notes)
    reading = None if norm is None else _parse(f"{norm.citation} {rest}", library.names)
    if norm is None or reading is None or len(reading.targets) != 1 or reading.unparsed:
        return misses.not_parseable(written)
    statute = library.store.statutes[norm.statute_id]
    [target] = reading.targets
    if isinstance(target, EuCitation):  # its id may name an edition, which no citation does
        target = replace(target, celex=statute.statute_id.partition("/")[2])
    return replace(
        reading, targets=(target,), statute=statute, normalised=(*reading.normalised, *notes)
    )


def _fold_id(written: str) -> str:
    """An id as it is given: in lower case, but for the numbers of EU acts (``32016R0679``)."""
    jurisdiction, _, rest = written.partition("/")
    act, slash, unit = rest.partition("/")
    act = act.upper().replace(":EN", ":en") if jurisdiction.casefold() == "eu" else act.casefold()
    return f"{jurisdiction.casefold()}/{act}{slash}{unit.casefold()}"


def _read_id(written: str, library: Library) -> Reading | Miss:
    """An id of ours that names no norm held: the law, or the citation it stands for."""
    jurisdiction, _, rest = written.partition("/")
    name, _, number = rest.strip("/").partition("/")
    statute = library.store.statutes.get(f"{jurisdiction}/{name}")
    if jurisdiction == "eu":
        unit, _, value = number.partition("_")
        kind = _EU_KINDS.get(unit)
        if kind is None:  # "div_3", "6": of no kind that is cited, so that all of it is the number
            return Reading((EuCitation(name, None, "Art" if number else None, number or None),))
        return Reading((EuCitation(name, None, kind, value or None),))
    if statute is None:
        return law_misses.law_unknown(written, name.replace("-", " "), library)
    law = statute.abbreviation
    if not number:
        return Reading((NormCitation(law),), statute=statute)
    annex = _ANNEX.fullmatch(number)
    if annex:
        return Reading((NormCitation(law, "Anlage", annex[1]),), statute=statute)
    return Reading((NormCitation(law, "§", number),), statute=statute)


def _read_eli(eli: Eli, library: Library) -> Reading:
    """The provision that an ELI names, where its law is held; else the page of the gazette."""
    statutes = library.published.find(eli.gazette)
    if len(statutes) != 1 or not (eli.number or eli.on):
        return Reading((eli.gazette,))
    version = f"asof:{eli.on}" if eli.on else None
    law = statutes[0].abbreviation
    return Reading((NormCitation(law, eli.unit, eli.number, path=eli.path, version=version),))


def _read_formula(written: str, library: Library) -> Reading | None:
    """``Präambel GG``, ``Eingangsformel des BGB``, ``Protokoll Nr. 7 AEUV``."""
    found = _FORMULA.fullmatch(written)
    known = library.names.find(found["law"]) if found else ()
    if found is None or not known:
        return _read_protocol(written, library)
    law, unit = known[0], found["unit"].capitalize()
    act = next((one for one in known if one.celex), None)
    if act is not None and act.celex and not _has_formula(law, unit, library):
        return Reading((EuCitation(act.celex, act.abbreviation, unit),))
    return Reading((NormCitation(law.abbreviation, unit),))


def _has_formula(law: LawName, unit: str, library: Library) -> bool:
    norms = library.store.list_norms(law.statute_id, NormKind.FORMULA) if law.statute_id else ()
    return any(norm.label.casefold() == unit.casefold() for norm in norms)


def _read_protocol(written: str, library: Library) -> Reading | None:
    found = _PROTOCOL.fullmatch(written)
    for law in library.names.find(found["law"]) if found else ():
        if found and law.celex:
            number = str(int(found["number"]))
            return Reading((EuCitation(law.celex, law.abbreviation, "Protokoll", number),))
    return None


def _read_name(written: str, library: Library) -> Reading | Miss:
    """A bare name of a law; else the miss for a text that cites nothing."""
    known = library.names.find(written)
    if known:
        first = known[0]
        if first.celex:
            return Reading((EuCitation(first.celex, first.abbreviation),))
        return Reading((NormCitation(first.abbreviation),))
    missing = library.store.missing.find([written])
    if missing is not None:
        return law_misses.law_missing(written, written, missing)
    if _SIGNS.search(written) and any(c.isdigit() for c in written) and _ANAPHORA.search(written):
        rules = _find_rules(written, library)
        nameless = law_misses.no_law_named(written)
        return law_misses.law_not_held(written, rules) if rules else nameless
    if len(written.split()) <= 2 and written[:1].isupper() and library.names.suggest(written, 1):
        return law_misses.law_unknown(written, written, library)
    return misses.not_parseable(written)


def _read_title(written: str, library: Library) -> Reading | None:
    """The one law whose whole title it is, though that cites provisions of another.

    ``Grenzvertrag (Anlage zur Bekanntmachung über den Grenzvertrag)``.
    """
    if len(written) <= _LEAST_TITLE:
        return None
    asked = fold_long(written)
    found = set()
    for law in library.names.find(written):
        statute = library.store.statutes.get(law.statute_id or "")
        if statute is not None and fold_long(statute.title) == asked:
            found.add((law.abbreviation, law.celex))
    if len(found) != 1:
        return None
    [(name, celex)] = found
    return Reading((EuCitation(celex, name) if celex else NormCitation(name),))


def _find_titled(written: str, library: Library) -> Reading | None:
    """An EU act by its whole title, as answers print it, where that has no number."""
    act = library.names.find_act(written) if len(written) > _LEAST_TITLE else None
    if act is None or act.celex is None:
        return None
    return Reading((EuCitation(act.celex, act.abbreviation),))


def _find_rules(written: str, library: Library) -> LawName | None:
    """``Nr. 15 RiStBV``, ``Nr. 6.1 TA Lärm``: rules that are no law, cited by their numbers."""
    words = written.rstrip(" .,;:)").split()[-_LONGEST_RULES:]
    for place in range(len(words)):
        known = library.names.find(" ".join(words[place:]))
        if known:
            return known[0] if known[0].nature and not known[0].statute_id else None
    return None


def _is_id(norm_id: str, library: Library) -> bool:
    return "/".join(norm_id.split("/")[:2]) in library.store.statutes
