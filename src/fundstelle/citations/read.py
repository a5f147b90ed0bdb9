"""All citations of a clean text: norms and EU acts, decisions, gazettes, in one order."""

from fundstelle.citations.decisions.pinpoints import complete_decisions
from fundstelle.citations.decisions.scan import find_decisions, find_gazettes
from fundstelle.citations.laws.mentions import find_mentions
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.norms.binding import build_law
from fundstelle.citations.norms.extents import settle, settle_mentions
from fundstelle.citations.norms.scan import Hit, Scanner


def read_all(
    text: str,
    names: LawNames,
    *,
    whole: bool = False,
    unnamed: bool = False,
    decisions: bool = True,
) -> list[Hit]:
    """The hits in ``text`` in its order; where two overlap, the decision wins.

    ``whole``: the text is one citation, so that nothing in it belongs to a sentence around it.
    ``unnamed``: what is of no law by name ("des Vertrages") is read too. Without ``decisions``
    neither dockets nor pages of collections are looked for.

    A collection's key may hold a section (``SozR 4-2500 § 31 Nr 22``) that is not cited; the full
    title of a law may hold where it was promulgated.
    """
    found = find_decisions(text) if decisions else find_gazettes(text)
    places = [Hit(place.start, place.end, place.targets, place.notes) for place in found]
    hits = list(Scanner(text, names, whole=whole, unnamed=unnamed).scan())
    if not places:
        return hits
    both = sorted((*places, *hits), key=lambda hit: (hit.start, -hit.end))
    return _drop_overlapped(both, places)


def add_mentions(text: str, names: LawNames, hits: list[Hit]) -> list[Hit]:
    """``hits`` and the laws named without a provision, in the order of the text."""
    hits = complete_decisions(text, settle(text, hits))
    taken = [(hit.start, hit.end) for hit in hits]
    mentions = find_mentions(text, LawReader(text, names), taken)
    found = [Hit(start, law.end, (build_law(law),), law=law) for start, law in mentions]
    if not found:
        return hits
    return settle_mentions(text, sorted((*hits, *found), key=lambda hit: hit.start))


def _drop_overlapped(hits: list[Hit], places: list[Hit]) -> list[Hit]:
    kept: list[Hit] = []
    marks = {id(place) for place in places}
    blocked = 0
    for hit in hits:
        if id(hit) in marks:
            if kept and kept[-1].law is not None and hit.end <= kept[-1].end:
                continue
            while kept and kept[-1].end > hit.start and id(kept[-1]) not in marks:
                kept.pop()
            kept.append(hit)
            blocked = hit.end
        elif hit.start >= blocked:
            kept.append(hit)
    return kept
