"""The community of an EU act as it is cited, against the one that its title names."""

from fundstelle.citations.laws.eu import read_communities
from fundstelle.law.citations import EuCitation
from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import Resolution


def tell_community(resolution: Resolution, statute: Statute) -> str:
    """What the community of an EU act is, if another is written; by the act's own title."""
    celex = next(
        (
            each.celex
            for each in resolution.targets
            if isinstance(each, EuCitation) and each.celex and each.celex in statute.statute_id
        ),
        None,
    )
    if celex is None:
        return ""
    written = read_communities(resolution.written, celex)
    of_title = read_communities(statute.title, celex)
    if not written or not of_title or written & of_title:
        return ""
    return f"Written as of the {_join(written)}; the act's title has {_join(of_title)}."


def _join(communities: frozenset[str]) -> str:
    return ", ".join(sorted(communities))
