"""Citations as answers print them: every one leads back to its own norm, however it is labelled.

"Muster 5 LuftVZO", "Anlage I Kap XVI EinigVtr", "Abschnitt 2 AEntG": a label and the law.
"""

import re
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.norms.levels import LEVEL_OF
from fundstelle.citations.text.folding import CHUNK, fold_abbreviation
from fundstelle.corpus.store import CorpusStore
from fundstelle.law.identifiers import build_norm_id
from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.library import Library

_LONGEST = 40  # words of a label with its law
_MOST_LISTS = 2_048  # of the norms of one kind in one law; then started over
_JOINT = re.compile(r"\s+(?:zu[mr]?|de[rs])$")

_SIGN = re.compile(r"(?:§{1,2}|Art(?:ikel|\.)?)\s*")
_TO = re.compile(r"\s(?:bis|und|u\.?)\s(?:§\s)?")
_NESTED = re.compile(r"\s*§{1,2}\s*")  # "Art. IV §§ 1 und 2" is iv/1-2
LISTED = tuple(kind for kind in NormKind if kind not in {NormKind.SECTION, NormKind.ARTICLE})
"""The kinds whose norms are listed; of §§ and Artikel the id tells."""

_STEPS = {"§", *LEVEL_OF}  # words that a part begins with

_Citations = Mapping[str, Sequence[str]]


class _Printed:
    """The laws of one build by abbreviation, and what their norms are cited by."""

    def __init__(self, statutes: Mapping[str, Statute]) -> None:
        self.laws: dict[str, list[str]] = {}
        self.citations: dict[tuple[str, NormKind], _Citations] = {}
        for statute_id, statute in statutes.items():
            self.laws.setdefault(fold_abbreviation(statute.abbreviation), []).append(statute_id)


# Weak, so that what is kept of a build that was replaced goes with its names.
_kept: WeakKeyDictionary[LawNames, _Printed] = WeakKeyDictionary()


def find_printed(library: Library, written: str, listed: Sequence[NormKind] = ()) -> list[Norm]:
    """The norms that are cited just so, in the order of their law; none is the usual case.

    Where ids are not made of labels, the law's norms of the kinds ``listed`` are gone through.
    """
    words = written.split()
    if not 1 < len(words) <= _LONGEST:
        return []
    kept = _keep(library)
    for place in range(1, len(words)):
        law = " ".join(words[place:])
        label = " ".join(words[:place])
        joint = _JOINT.search(label)
        ids = list(kept.laws.get(fold_abbreviation(law), ()))
        if joint is not None:
            label = label[: joint.start()]
            ids += [i for one in library.names.find(law) if (i := one.statute_id) and i not in ids]
        for statute_id in ids:
            statute = library.store.statutes.get(statute_id)
            if statute is None or (joint is None and not _is_same_name(statute, law)):
                continue
            found = _find_by_id(library.store, statute, label)
            if not found and listed:
                found = _find_listed(kept, library.store, statute, label, listed)
            if found:
                return found
    return []


def find_printed_parts(library: Library, written: str) -> list[tuple[list[Norm], str]]:
    """The norms whose label ``written`` begins with, and what stands between it and their law.

    "Anlage I Kap XVII Satz 1 EinigVtr": the longest label first.
    """
    words = written.split()
    if not 2 < len(words) <= _LONGEST:
        return []
    steps = [i for i, word in enumerate(words) if word.rstrip(".").casefold() in _STEPS and i]
    if not steps:
        return []
    kept = _keep(library)
    found = []
    for place in range(steps[0] + 1, len(words)):
        ids = kept.laws.get(fold_abbreviation(" ".join(words[place:])), ())
        statutes = (library.store.statutes[each] for each in ids)
        law = " ".join(words[place:])
        for statute in (each for each in statutes if _is_same_name(each, law)):
            for step in (each for each in reversed(steps) if each < place):
                label = " ".join(words[:step])
                norms = _find_by_id(library.store, statute, label) or _find_listed(
                    kept, library.store, statute, label, LISTED
                )
                if norms:
                    found.append((norms, " ".join(words[step:place])))
    return found


def _is_same_name(statute: Statute, written: str) -> bool:
    """Whether the parts of a name are the same: "d. DRiG" is not DDR-IG."""
    parts = CHUNK.findall(written.casefold())
    return parts == CHUNK.findall(statute.abbreviation.casefold())


def _keep(library: Library) -> _Printed:
    kept = _kept.get(library.names)
    if kept is None:
        kept = _kept[library.names] = _Printed(library.store.statutes)
    return kept


def _find_by_id(store: CorpusStore, statute: Statute, label: str) -> list[Norm]:
    """``Anhang 3`` is ``anhang-3``, ``§§ 48a, 49 und 49a`` is ``48a-49-und-49a``."""
    body = _SIGN.sub("", label, count=1)
    joined = _TO.sub("-", body)
    slipped = body.replace(" ", "", 1)  # "§§ 59 is 61", as the publisher has it
    plain = (each.replace("/", "-") for each in (label.rstrip("."), body, joined, slipped))
    for number in dict.fromkeys((*plain, _NESTED.sub("/", joined))):
        norm = store.find_norm(build_norm_id(statute.statute_id, number))
        if norm is not None and fold_blanks(norm.citation) == fold_blanks(
            f"{label} {statute.abbreviation}"
        ):
            same = store.list_same(norm.norm_id)
            return [norm, *(one for one in same if one.citation == norm.citation)]
    return []


def _find_listed(
    kept: _Printed, store: CorpusStore, statute: Statute, label: str, listed: Sequence[NormKind]
) -> list[Norm]:
    found: list[Norm] = []
    for kind in listed:
        key = statute.statute_id, kind
        if key not in kept.citations:
            if len(kept.citations) >= _MOST_LISTS:
                kept.citations.clear()
            kept.citations[key] = _list_citations(store, *key)
        ids = kept.citations[key].get(fold_blanks(f"{label} {statute.abbreviation}"), ())
        found += [norm for norm_id in ids if (norm := store.find_norm(norm_id)) is not None]
    return found


def fold_blanks(citation: str) -> str:
    """A citation in small letters, with one plain blank wherever there are blanks."""
    return " ".join(citation.split()).casefold()


def _list_citations(store: CorpusStore, statute_id: str, kind: NormKind) -> _Citations:
    citations: dict[str, list[str]] = {}
    for norm in store.list_norms(statute_id, kind):
        citations.setdefault(fold_blanks(norm.citation), []).append(norm.norm_id)
    return citations
