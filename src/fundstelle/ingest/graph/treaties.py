"""Treaties that a law of consent speaks of: "Artikel 5 des Abkommens", "nach seinem Artikel 6".

The publisher holds many treaties apart from the law that consents to them. Which one a law means
is in its title: "Gesetz zu dem Abkommen vom 25. Juni 1993 zwischen …".
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import Statute

_STEMS = "abkommen|übereinkommen|vertrag|protokoll|vereinbarung|konvention|charta"
_NOUN = rf"[A-ZÄÖÜ]\w*?(?:{_STEMS})|(?i:{_STEMS})"
_NAMED = re.compile(
    rf"(?<![\w-])(?P<noun>{_NOUN})(?P<ending>e?s)?(?![\w-])"
    rf"(?:\s+vom\s+(?P<day>{DATE}))?(?P<rest>[^\n]*)"
)
_OF_ITS_OWN = re.compile(
    rf"(?<![\w-])(?P<noun>{_NOUN})\s(?:[\w,-]+\s){{0,4}}?nach\s(?:seinem|ihrem|seinen|ihren)\s$"
)
_BEFORE = 90  # characters before "Artikel" in which the treaty stands
_ENDING = re.compile(r"(?<=.{4})e?s$")
_FIRST = re.compile(rf"(?:[^\W\d]+(?:e|er|es)\s|\d+\.\s){{0,2}}(?P<noun>{_NOUN})(?![\w-])")


@dataclass(frozen=True, slots=True)
class Treaties:
    """The treaties among the laws of a build, by day and by title."""

    list_of_day: Callable[[date], Sequence[Statute]]
    list_titled: Callable[[str], Sequence[Statute]]

    def find_of(self, statute: Statute, noun: str) -> Statute | None:
        """What "des Abkommens" means in a law that consents to one; ``None`` if it is not told."""
        if not _is_treaty(noun):
            return None
        found = {
            treaty.statute_id: treaty
            for treaty in self._list_named(statute)
            if _is_called(treaty, noun) and treaty.statute_id != statute.statute_id
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def find_of_day(self, written: str, noun: str) -> Statute | None:
        """``des Abkommens vom 30. April 1964``, if one of that day is held."""
        iso = read_date(written)
        if iso is None or not _is_treaty(noun):
            return None
        of_day = [one for one in self.list_of_day(date.fromisoformat(iso)) if _is_called(one, noun)]
        return of_day[0] if len(of_day) == 1 else None

    def _list_named(self, statute: Statute) -> Iterator[Statute]:
        for title in filter(None, (statute.title, statute.short_title)):
            for named in _iter_named(title):
                noun, day, rest = named["noun"], named["day"], named["rest"]
                iso = read_date(day) if day else None
                if iso is not None:
                    yield from self.list_of_day(date.fromisoformat(iso))
                yield from self.list_titled(f"{noun}{rest}")


def find_before(text: str, start: int) -> str | None:
    """The treaty of whose own provisions one begins at ``start``: "… nach seinem Artikel 6"."""
    found = _OF_ITS_OWN.search(text, max(0, start - _BEFORE), start)
    return found["noun"] if found else None


def _iter_named(title: str) -> Iterator[re.Match[str]]:
    """Each treaty in a title with what stands behind it."""
    position = 0
    while (named := _NAMED.search(title, position)) is not None:
        yield named
        position = named.end("noun")


def _is_treaty(noun: str) -> bool:
    return re.fullmatch(_NOUN, _ENDING.sub("", noun)) is not None


def _is_called(treaty: Statute, noun: str) -> bool:
    """Whether its title begins with that noun, "Rahmenabkommen" for "Abkommens", too."""
    first = _FIRST.match(treaty.title)
    return first is not None and first["noun"].casefold().endswith(_ENDING.sub("", noun).casefold())
