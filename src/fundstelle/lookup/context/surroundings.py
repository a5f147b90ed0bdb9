"""What stands around a provision: neighbours, headings, references, versions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.corpus.decisions import Citing, CitingDecision, CitingRequest
from fundstelle.corpus.store import FassungHead, Reference
from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Norm, NormStatus, name_later, set_back
from fundstelle.lookup.answers import DecisionHit, Hit, ProvisionHit
from fundstelle.lookup.dating.on_day import Standing, find_text
from fundstelle.lookup.dating.to_come import name_ahead
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import find_deepest, format_steps, get_steps, insert_path
from fundstelle.lookup.whole import build_hit, warn_of_text

SNIPPET_CHARS = 240

_STEP = 12  # positions looked at a time: headings lie between provisions
_FARTHEST = 200


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A provision near another, with its text of the day if one was in force.

    ``status`` is that on the day, ``None`` where the corpus cannot say what it was then.
    ``warnings`` are of this text; those of all its law are in the ``hit`` alone.
    """

    norm: Norm
    hit: ProvisionHit | None
    status: NormStatus | None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceLink:
    """A reference as it is shown: the norm at its other end and the words around it.

    ``is_of_day``: the words are those that held on the day asked.
    """

    citation: str
    norm_id: str | None
    snippet: str
    is_of_day: bool = True


@dataclass(frozen=True, slots=True)
class ReferencesIn:
    """A page of what refers to something, and how much there is in all, ``norms`` of it norms."""

    links: Sequence[ReferenceLink]
    total: int
    norms: int


def list_neighbours(
    library: Library, hit: Hit, before: int, after: int, on: date
) -> tuple[list[Neighbour], list[Neighbour]]:
    """The provisions before and after, in the order of the law; headings are not counted."""
    if isinstance(hit, DecisionHit):
        return [], []
    low = _collect(library, hit.norm, before, -1)
    high = _collect(library, hit.norm, after, 1)
    return (
        [_read(library, other, on) for other in reversed(low)],
        [_read(library, other, on) for other in high],
    )


def _collect(library: Library, norm: Norm, count: int, direction: int) -> list[Norm]:
    """The ``count`` nearest provisions in one direction, nearest first."""
    found: list[Norm] = []
    edge = norm.position
    while len(found) < count and abs(edge - norm.position) < _FARTHEST:
        if direction > 0:
            first, last = edge + 1, edge + count + _STEP
        else:
            first, last = max(0, edge - count - _STEP), edge - 1
        if last < first:
            break
        page = library.store.list_provisions(norm.statute_id, first, last)
        found += page if direction > 0 else reversed(page)
        edge = last if direction > 0 else first
        if edge == 0:
            break
    return found[:count]


def _read(library: Library, norm: Norm, on: date) -> Neighbour:
    """A neighbour as a lookup of it has it."""
    statute = library.store.statutes[norm.statute_id]
    found = find_text(library, statute, norm.norm_id, on)
    fassung = found.fassung
    if found.standing is Standing.OUTSIDE:
        return Neighbour(norm, None, None)
    if found.standing is not Standing.KNOWN:
        return Neighbour(norm, None, NormStatus.FUTURE)
    if fassung is not None and fassung.status is NormStatus.IN_FORCE:
        hit = build_hit(library, statute, norm, fassung, on)
        warnings = warn_of_text(library, statute, norm, fassung, on)
        return Neighbour(hit.norm, hit, fassung.status, warnings)
    if fassung is not None:
        is_future = fassung.status is NormStatus.FUTURE
        status = name_ahead(library, fassung, on) if is_future else fassung.status
        return Neighbour(set_back(norm, fassung), None, status)
    heads = library.store.list_fassungen(norm.norm_id)
    begins = heads[0].in_force_from if heads else None
    if begins is None or on >= begins:
        return Neighbour(norm, None, NormStatus.REPEALED)
    return Neighbour(norm, None, name_later(heads[0].date_precision))


def list_parents(library: Library, hit: Hit) -> list[Norm]:
    """The headings above a provision, outermost first."""
    parents: list[Norm] = []
    parent_id = None if isinstance(hit, DecisionHit) else hit.norm.parent_id
    while parent_id is not None and len(parents) < 20:
        parent = library.store.find_norm(parent_id)
        if parent is None:
            break
        parents.append(parent)
        parent_id = parent.parent_id
    return parents[::-1]


def list_references_out(library: Library, hit: Hit) -> list[ReferenceLink]:
    """What the unit refers to, in the order of the text, each target once.

    What is not held, or could not be told, is there with its words, each member of a list. Nothing
    of a text that another followed (``find_newer``).
    """
    if find_newer(library, hit) is not None:
        return []
    text = hit.text
    links: dict[tuple[str, str | None, int], ReferenceLink] = {}
    unresolved: Counter[int] = Counter()
    references: Sequence[Reference | Citing]
    if isinstance(hit, DecisionHit):
        references = library.decisions.list_citations(hit.decision.decision_id)
    else:
        references = library.store.list_references_from(hit.norm.norm_id)
    citations: dict[tuple[str | None, str, str], str] = {}
    for reference in references:
        if not hit.start <= reference.start < hit.end:
            continue
        place = reference.cited_id, reference.cited_path, reference.cited_text
        citation = citations.get(place) or _cite(library, reference)
        citations[place] = citation
        member = 0
        if reference.cited_id is None:
            member = unresolved[reference.start]
            unresolved[reference.start] += 1
        key = citation, reference.cited_id, member
        if key not in links:
            words = _excerpt(text, reference.start, reference.end)
            links[key] = ReferenceLink(citation, place[0], words)
    return list(links.values())


def find_newer(library: Library, hit: Hit) -> FassungHead | None:
    """The newest text, whose references alone are held; ``None`` where it is the one of ``hit``.

    Their offsets are those of that text, and would cut any words out of another.
    """
    heads = list_versions(library, hit)
    if isinstance(hit, DecisionHit) or not heads:
        return None
    return None if heads[-1].text_sha256 == hit.fassung.text_sha256 else heads[-1]


def list_references_in(
    library: Library, cited_id: str, limit: int, offset: int, on: date
) -> ReferencesIn:
    """What refers to a norm, law or decision: norms, in their newest texts, then decisions."""
    references, norms = library.store.list_references_to(cited_id, limit, offset)
    links = [link for reference in references if (link := _cite_from(library, reference, on))]
    request = CitingRequest(cited_id, limit=limit - len(references), offset=max(0, offset - norms))
    decisions, more = library.decisions.list_citing(request)
    links += (_cite_decision(library, one) for one in decisions)
    return ReferencesIn(links, norms + more, norms)


def _cite_decision(library: Library, one: CitingDecision) -> ReferenceLink:
    text = library.decisions.find_text(one.decision.decision_id)
    assert text is not None
    first = one.first
    place = f", Rn. {first.passage}" if first.passage else ""
    citation = one.decision.citation + place
    words = _excerpt(text.text, first.start, first.end)
    return ReferenceLink(citation, one.decision.decision_id, words)


def _cite(library: Library, reference: Reference | Citing) -> str:
    """The canonical citation of what is referred to; as written where it is not held."""
    cited_id = reference.cited_id
    if cited_id is None:
        return reference.cited_text
    statute = library.store.statutes.get(cited_id)
    if statute is not None:
        return statute.abbreviation
    decision = library.decisions.find(cited_id)
    if decision is not None:
        return decision.citation
    norm = library.store.find_norm(cited_id)
    if norm is None:
        return reference.cited_text
    law = library.store.statutes[norm.statute_id].abbreviation
    return insert_path(norm.citation, format_steps(_read_path(reference.cited_path)), law)


def _read_path(path: str) -> list[PathStep]:
    pairs = (step.partition("=") for step in path.split("/") if step and step[0] != "§")
    return [PathStep(level, value) for level, _, value in pairs]


def _cite_from(library: Library, reference: Reference, on: date) -> ReferenceLink | None:
    store = library.store
    norm = store.find_norm(reference.citing_id)
    if norm is None:
        return None
    # References are those of the newest text, whatever the day.
    newest = store.find_fassung(norm.norm_id)
    if newest is None:
        return None
    of_day = store.find_fassung(norm.norm_id, on)
    unit = find_deepest(newest.segments, reference.start, reference.end)
    path = format_steps(get_steps(newest.segments, unit))
    citation = insert_path(norm.citation, path, store.statutes[norm.statute_id].abbreviation)
    words = _excerpt(newest.text, reference.start, reference.end)
    is_of_day = of_day is not None and of_day.text_sha256 == newest.text_sha256
    return ReferenceLink(citation, norm.norm_id, words, is_of_day)


def _excerpt(text: str, start: int, end: int) -> str:
    """The words around a reference, whole words only, on one line."""
    end = min(end, start + SNIPPET_CHARS)
    room = (SNIPPET_CHARS - (end - start)) // 2
    low, high = max(0, start - room), min(len(text), end + room)
    if low > 0:
        low = text.find(" ", low, start) + 1 or low
    if high < len(text):
        blank = text.rfind(" ", end, high)
        high = blank if blank > 0 else high
    words = " ".join(text[low:high].split())
    return f"{'… ' if low > 0 else ''}{words}{' …' if high < len(text) else ''}"


def list_versions(library: Library, hit: Hit) -> list[FassungHead]:
    """All texts held of a provision, oldest first; a decision has no other than its own."""
    if isinstance(hit, DecisionHit):
        return []
    return library.store.list_fassungen(hit.norm.norm_id)
