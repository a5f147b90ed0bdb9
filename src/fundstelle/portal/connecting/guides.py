"""All programs that people connect, each on a card of its own."""

from fundstelle.portal.connecting.guide import Guide
from fundstelle.portal.connecting.local_guides import LOCAL
from fundstelle.portal.connecting.remote_guides import REMOTE

GUIDES: tuple[Guide, ...] = (*REMOTE, *LOCAL)


def find_guide(slug: str) -> Guide | None:
    """The program of that name in addresses."""
    return next((guide for guide in GUIDES if guide.slug == slug), None)
