"""What took the place of a provision or law that is no more, and who says so.

Of a provision a table kept by hand from the gazettes (``citations.laws.succession``) goes before
the one that came with its words when it went (``ingest.graph.heirs``); of a law the publisher's
note goes before the text of the law that ended it, and both before the table. Only what is held
is named.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fundstelle.citations.laws.succession import find_succession, list_norm_successors
from fundstelle.citations.parse import parse
from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.norms import Norm, Statute
from fundstelle.lookup.answers import Miss, Outcome, Successor
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.laws import find_statute
from fundstelle.lookup.reading.numbers import find_numbered

BASES = ("publisher", "text", "table")
_MOST = 5
_MOST_READ = 50  # references to a former law of which the text is looked at
_REACH = 600  # characters between the words that end a law and its name
_REPLACED = re.compile(r"\bersetzt durch\b[^()]*\((?P<law>[^()]+)\)\s*$")
_MOVED = re.compile(r"\(?jetzt (?P<place>(?:§|Art\.?) ?[^\s()]+)\)?")
# "Gleichzeitig tritt die Musterverordnung vom ... außer Kraft."
_ENDS = re.compile(r"\btr(?:itt|eten)(?: gleichzeitig)? d(?:ie|as|er) (?!§)")
_DAY = re.compile(r"\bVerkündung d(?:es|er)\b|\bin Kraft\b")
_OUT = re.compile(r"(?:(?!\bin Kraft\b).)*?\baußer Kraft\b", re.DOTALL)


def add_successors(
    outcome: Outcome, library: Library, statute: Statute | None, target: NormCitation
) -> Outcome:
    """A miss of what is repealed, or of an edition not held, with what took its place."""
    if not isinstance(outcome, Miss) or target.law is None:
        return outcome
    law = statute.abbreviation if statute is not None else _name(library, target.law)
    version = target.version or ""
    if outcome.status == "repealed":
        edition = version or "gone"
    elif outcome.status == "not_in_corpus" and version.isdecimal():
        edition = version
    else:
        return outcome
    if outcome.unparsed or (target.path and statute is not None and edition == "gone"):
        return outcome  # of a part that is gone the provision goes on
    found = _find_all(library, list_norm_successors(law, target.number, edition))
    if not found and edition == "gone" and statute is not None and target.number:
        found = _find_by_words(library, statute, target)
    if not found and edition == "gone":
        found = list(_iter_of_law(library, law, target.number, statute))
    return replace(outcome, successors=tuple(found[:_MOST])) if found else outcome


def list_successors(
    library: Library, statute: Statute, norm: Norm | None = None
) -> tuple[Successor, ...]:
    """What took the place of a provision of a law that the publisher no longer lists, or of it.

    Of a law that is listed it is said of a provision that has another number now.
    """
    moved = _MOVED.fullmatch(norm.title) if norm is not None and norm.title else None
    if moved is not None:
        heir = _find(library, f"{moved['place']} {statute.abbreviation}", "publisher")
        return (heir,) if heir is not None else ()
    if statute.listed:
        return ()
    number = norm.number if norm is not None else None
    law = statute.abbreviation
    found = _find_all(library, list_norm_successors(law, number, "gone"))
    found = found or (_list_heir(library, norm) if norm is not None else [])
    found = found or list(_iter_of_law(library, law, number, statute))
    return tuple(each for each in found if each.norm_id != statute.statute_id)[:_MOST]


def _find_by_words(library: Library, statute: Statute, target: NormCitation) -> list[Successor]:
    """The provision that came with its words on the day on which it went."""
    norm = find_numbered(library.store, statute.statute_id, target.number or "", target.unit)
    return [] if norm is None else _list_heir(library, norm)


def _list_heir(library: Library, norm: Norm) -> list[Successor]:
    known = library.store.find_heir(norm.norm_id)
    heir = library.store.find_norm(known[0]) if known is not None else None
    if known is None or heir is None:
        return []
    return [Successor(heir.citation, heir.norm_id, "text", known[1])]


def _iter_of_law(
    library: Library, law: str, number: str | None, statute: Statute | None
) -> Iterator[Successor]:
    """The laws that took the place of a law; of one only renamed, the provision of that number."""
    if statute is not None and not statute.listed:
        said = library.heirs.get(statute.statute_id)
        if said is None:
            said = tuple(
                dict.fromkeys((*_read_notes(library, statute), *_read_texts(library, statute)))
            )
            library.heirs[statute.statute_id] = said
        if said:
            yield from said
            return
    succession = find_succession(law)
    if succession.until is None:
        return
    for name in succession.successors:
        heir = _find(library, name, "table")
        if heir is None:
            continue
        same = find_numbered(library.store, heir.norm_id, number, None) if number else None
        if same is not None and succession.renamed:
            yield Successor(same.citation, same.norm_id, "table")
        else:
            yield heir


def _read_notes(library: Library, statute: Statute) -> Iterator[Successor]:
    for note in statute.stand_notes:
        replaced = _REPLACED.search(note.text)
        heir = _find(library, replaced["law"], "publisher") if replaced else None
        if heir is not None:
            yield heir


def _read_texts(library: Library, statute: Statute) -> Iterator[Successor]:
    """The laws whose own text says that this one is out of force."""
    store = library.store
    references, _ = store.list_references_to(statute.statute_id, _MOST_READ, 0)
    for reference in references:
        norm, fassung = (
            store.find_norm(reference.citing_id),
            store.find_fassung(reference.citing_id),
        )
        heir = store.statutes.get(norm.statute_id) if norm is not None else None
        if heir is None or fassung is None or not heir.listed or heir is statute:
            continue
        if _is_ended(fassung.text, reference.start, reference.end):
            yield Successor(heir.abbreviation, heir.statute_id, "text")


def _is_ended(text: str, start: int, end: int) -> bool:
    """Whether the law that is named there is what goes out of force."""
    before = text[max(0, start - _REACH) : start]
    opened = next(reversed(list(_ENDS.finditer(before))), None)
    if opened is None or _DAY.search(before, opened.end()):
        return False
    return _OUT.match(text, end, end + _REACH) is not None


def _find_all(library: Library, citations: Iterable[str]) -> list[Successor]:
    found = (_find(library, citation, "table") for citation in citations)
    return [each for each in found if each is not None]


def _find(library: Library, citation: str, basis: str) -> Successor | None:
    """A citation as it is held; ``None`` if it is not."""
    target = next(iter(parse(citation, library.names).targets), None)
    store = library.store
    if isinstance(target, EuCitation):
        held = store.statutes.get(f"eu/{target.celex}")
        norm = store.find_norm(f"eu/{target.celex}/art_{target.number}") if held else None
    else:
        if not isinstance(target, NormCitation):
            target = NormCitation(citation)
        statute = find_statute(library, citation, target)
        held = None if isinstance(statute, Miss) else statute
        norm = (
            find_numbered(store, held.statute_id, target.number, target.unit)
            if held is not None and target.number
            else None
        )
    if held is None or (target.number and norm is None):
        return None
    if norm is not None:
        return Successor(norm.citation, norm.norm_id, basis)
    return Successor(held.abbreviation, held.statute_id, basis)


def _name(library: Library, written: str) -> str:
    known = library.names.find(written)
    ended = next((law for law in known if law.valid_until), None)
    return ended.abbreviation if ended is not None else written
