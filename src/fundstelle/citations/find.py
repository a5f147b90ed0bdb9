"""Citations in running text, with offsets into the caller's text."""

from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.norms.inference import infer
from fundstelle.citations.read import add_mentions, read_all
from fundstelle.citations.text.clean import clean
from fundstelle.law.citations import FoundCitation


def find(
    text: str,
    names: LawNames | None = None,
    law: str | None = None,
    *,
    unnamed: bool = False,
    decisions: bool = True,
) -> list[FoundCitation]:
    """Every citation in ``text``, in its order.

    ``law`` is the canonical abbreviation of the statute whose text this is: a bare "§ 280 Abs. 1"
    binds to it. Without it a bare citation binds to the last law of its paragraph. Both are marked
    ``inferred``. ``unnamed``: also "§ 5 des Vertrages" is a citation, of no law and not inferred;
    without it that is a private contract and passed over. Without ``decisions`` none is looked
    for, nor pages of their collections: statutes cite none.
    """
    registry = names or LawNames.default()
    cleaned = clean(text)
    read = read_all(cleaned.text, registry, unnamed=unnamed, decisions=decisions)
    hits = add_mentions(cleaned.text, registry, read)
    found = []
    for hit, inferred in infer(cleaned.text, hits, registry, law):
        start = cleaned.get_origin(hit.start)
        end = cleaned.get_origin_end(hit.end)
        written = text[start:end]
        one = FoundCitation(start, end, written, hit.targets, inferred, hit.notes, hit.apart)
        found.append(one)
    return found
