"""Laws that the publisher lists and a build does not hold."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from fundstelle.law.identifiers import fold
from fundstelle.law.publishers import find_link

_PUBLISHER = "https://www.gesetze-im-internet.de/"
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class MissingLaw:
    """A law as a table of contents names it: the folder of its address, and its title."""

    slug: str
    title: str

    @property
    def url(self) -> str:
        """Where the publisher shows it."""
        return find_link(f"{_PUBLISHER}{self.slug}/") or _PUBLISHER


class MissingLaws:
    """All of them, by slug and by title."""

    def __init__(self, laws: Iterable[MissingLaw]) -> None:
        self.laws = tuple(laws)
        self._slugs = {_strip(law.slug): law for law in self.laws}
        self._titles = {fold(law.title): law for law in self.laws}

    def find(self, names: Iterable[str]) -> MissingLaw | None:
        """The law that goes by one of the names.

        Slugs are the publisher's abbreviations in small letters with ``_`` for all others:
        ``1-DM-GoldmünzG`` lies in ``1-dm-goldm_nzg``.
        """
        for name in names:
            found = self._titles.get(fold(name)) or self._slugs.get(_strip(name))
            if found is not None:
                return found
        return None


def _strip(name: str) -> str:
    return _NOT_PLAIN.sub("", name.lower())
