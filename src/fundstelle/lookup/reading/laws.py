"""Which law a name means: the one held, several, one that is gone, one that is missing here."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.citations.format import format_citation
from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.of_land import names_land
from fundstelle.citations.norms.items import HEAD
from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import Miss, Outcome, Suggestion
from fundstelle.lookup.dating.bearers import choose_bearers, is_undecided
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import laws as law_misses
from fundstelle.lookup.misses.reasons import SUGGESTIONS, not_parseable
from fundstelle.lookup.reading.numbers import find_numbered

_MEANT = frozenset({law_misses.FORMER, law_misses.NAMESAKE})
_SECTION = re.compile(r"§|&sect;|paragra|section", re.IGNORECASE)
_BOOK = re.compile(r"SGB [IVX]+")
_BOOKS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV")
_ORDER = {f"SGB {number}": place for place, number in enumerate(_BOOKS)}


def find_statute(
    library: Library, written: str, target: NormCitation, on: date | None = None
) -> Statute | Miss:
    """The law of a citation as this build holds it."""
    found = find_namesakes(library, written, target, on)
    return found if isinstance(found, Miss) else found[0]


def find_namesakes(
    library: Library, written: str, target: NormCitation, on: date | None = None
) -> list[Statute] | Miss:
    """The law of a citation; behind it other laws held that go by the same name.

    A name that several laws share means the one whose own abbreviation it is; if it is none's,
    which is meant is not guessed.
    """
    name = target.law
    if name is None:
        if len(HEAD.findall(written)) > 1:  # of a list, of which others have their law
            return replace(law_misses.no_law_named(format_citation(target)), citation=written)
        names_a_law = library.names.find(written.rsplit(maxsplit=1)[-1])
        return not_parseable(written) if names_a_law else law_misses.no_law_named(written)
    dated = _find_dated(library, name, target.version)
    return [dated] if dated is not None else _find_named(library, written, name, target, on)


def _find_dated(library: Library, name: str, version: str | None) -> Statute | None:
    """``SVG 1957``: the year of a version, or part of the name of another law."""
    if version is None or not version.isdecimal():
        return None
    dated = fold(f"{name} {version}")
    held = [statute for _, statute in _pair(library, library.names.find(f"{name} {version}"))]
    own = [statute for statute in held if fold(statute.abbreviation) == dated]
    juris = [s for s in held if dated in map(fold, s.abbreviations_juris)]
    return next(iter(own or juris), None)


def _find_named(
    library: Library, written: str, name: str, target: NormCitation, on: date | None
) -> list[Statute] | Miss:
    if name.casefold() == "sgb" and (books := list_books(library)):
        return law_misses.several_laws(written, name, books, target, library)
    known = library.names.find(name)
    held = list_held(library, known, on)
    if not held:
        return _miss_law(library, written, name, known, on)
    if len(known) == 1:
        return held
    if on is not None and is_undecided(library, held, on):
        several = law_misses.several_laws(written, name, held, target, library)
        return law_misses.unknown_bearer(several, name, held, library, on)
    held.sort(key=lambda statute: statute.abbreviation != name)
    if len(held) > 1 and held[0].abbreviation != name:
        return law_misses.several_laws(written, name, held, target, library)
    return held + [statute for _, statute in _pair(library, known) if statute not in held]


def _miss_law(
    library: Library, written: str, name: str, known: Sequence[LawName], on: date | None
) -> Miss:
    ended = next((law for law in known if law.valid_until), None)
    if ended is not None:
        return law_misses.law_repealed(written, ended, library, on)
    missing = library.store.missing.find([name, *_list_names(known)])
    if missing is not None:
        return law_misses.law_missing(written, known[0].abbreviation if known else name, missing)
    if known:
        return law_misses.law_not_held(written, known[0])
    if names_land(name):
        return law_misses.law_not_held(written, LawName(name, nature="named of a Land"))
    return law_misses.law_unknown(written, name, library)


def _list_names(known: Sequence[LawName]) -> list[str]:
    return [name for law in known for name in (law.abbreviation, *law.aliases, *law.long_names)]


def suggest_namesakes(
    outcome: Outcome, library: Library, target: NormCitation, others: Sequence[Statute]
) -> Outcome:
    """A miss with the same provision of other laws of that name put first; any other as it is.

    So is one that names the law which was meant.
    """
    if not isinstance(outcome, Miss) or target.number is None:
        return outcome
    if any(each.why in _MEANT for each in outcome.suggestions):
        return outcome
    norms = [
        (norm, statute)
        for statute in others
        if (norm := find_numbered(library.store, statute.statute_id, target.number, target.unit))
    ]
    named = [
        Suggestion(norm.citation, norm.norm_id, law_misses.OTHER + statute.title)
        for norm, statute in norms
    ]
    return replace(outcome, suggestions=(*named, *outcome.suggestions)[:SUGGESTIONS])


def find_german_namesake(library: Library, written: str, target: EuCitation) -> Statute | None:
    """The law of the Federation that a § means where an EU act bears the same name (EUV, GGV)."""
    if target.number is None or not _SECTION.search(written):
        return None
    return next(iter(list_german_namesakes(library, target)), None)


def list_german_namesakes(library: Library, target: EuCitation, written: str = "") -> list[Statute]:
    """The laws of the Federation that bear a name of the act, or the one that was written."""
    find = library.names.find
    acts = [law for law in find(target.law) if law.celex == target.celex] if target.law else []
    names = [*_list_names(acts), written]
    german = [law for name in names for law in find(name) if law.statute_id and not law.celex]
    return list_held(library, list(dict.fromkeys(german)))


def list_held(library: Library, known: Sequence[LawName], on: date | None = None) -> list[Statute]:
    """The laws of these names that can be meant: hand-kept before others, listed before removed.

    Of laws that had the name after each other it is the one of the day; all that it may have been.
    """
    pairs = _pair(library, known)
    if len(pairs) > 1:
        if on is not None:
            bearers = choose_bearers(library, [statute for _, statute in pairs], on)
            if is_undecided(library, bearers, on):
                return bearers
            pairs = [pair for pair in pairs if pair[1] in bearers]
        pairs = [pair for pair in pairs if pair[0].by_hand] or pairs
        pairs = [pair for pair in pairs if pair[1].listed] or pairs
    return [statute for _, statute in pairs]


def _pair(library: Library, known: Sequence[LawName]) -> list[tuple[LawName, Statute]]:
    statutes = library.store.statutes
    return [(law, statutes[i]) for law in known if (i := law.statute_id or "") in statutes]


def list_books(library: Library) -> list[Statute]:
    """The books of the Sozialgesetzbuch held, in their order."""
    books = [s for s in library.store.statutes.values() if _BOOK.fullmatch(s.abbreviation)]
    return sorted(books, key=lambda statute: _ORDER.get(statute.abbreviation, len(_ORDER)))
