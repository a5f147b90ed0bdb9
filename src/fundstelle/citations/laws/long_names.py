"""Titles of laws, word by word: the whole title of a name, and the longest one inside a text.

Nearly every citation gives an abbreviation, so that the titles are sorted only when a word comes
by which one of them begins.
"""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fundstelle.citations.laws.name import LawName
from fundstelle.citations.text.folding import CHUNK, LONG_JOINT, fold_abbreviation, fold_long, stem

_LONGEST = 80  # words
_LEAD = 4  # words by which a title is known to begin; few have them in common
_SUBTITLE = re.compile(r"\s*(?:\((?!EU).*|\[.*| [-–] .*)$", re.DOTALL)

Laws = dict[str, tuple[LawName, ...]]


def cut_subtitle(title: str) -> str:
    """A title without what stands behind it in brackets or after a dash."""
    begun = "(" in title or "[" in title or " - " in title or " – " in title
    return _SUBTITLE.sub("", title) if begun else title


def put(table: Laws, key: str, law: LawName) -> None:
    """Add a law under a name, behind those that have it already."""
    held = table.get(key, ())
    if law not in held:
        table[key] = (*held, law)


@dataclass(slots=True)
class _Sorted:
    """Titles in stems joined by blanks, and by what they begin."""

    laws: Laws = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)  # by fewer than ``_LEAD`` words
    led: dict[str, int] = field(default_factory=dict)  # by ``_LEAD``: words of the longest

    def add(self, name: str, law: LawName) -> None:
        words = list(map(stem, CHUNK.findall(name)))
        if not 0 < len(words) <= _LONGEST:
            return
        for count in range(1, min(len(words), _LEAD)):
            self.begun.add(" ".join(words[:count]))
        lead = " ".join(words[:_LEAD])
        if len(words) > self.led.get(lead, _LEAD):
            self.led[lead] = len(words)
        put(self.laws, " ".join(words), law)


_WITH_YEAR = re.compile(r"([A-ZÄÖÜ][\w-]*(?:gesetz|ordnung))\s(?:19|20)\d\d")


class LongNames:
    """The titles of ``laws``, and those of ``missing`` laws that no other law has as a name.

    ``short`` are the other names, folded.
    """

    def __init__(
        self, laws: Sequence[LawName], missing: Sequence[str], short: Sequence[Container[str]]
    ) -> None:
        self._laws = laws
        self._titles = missing
        self._short = short

    def prepare(self) -> None:
        """Sort them now."""
        _ = self._firsts, self._all

    def find(self, name: str) -> tuple[LawName, ...]:
        """All laws of that title; case, endings and hyphens do not matter."""
        first = CHUNK.search(name)
        if first is None or stem(first[0]) not in self._firsts:
            return ()
        return self._all[0].laws.get(fold_long(name), ())

    def match(self, text: str, chunk: re.Match[str]) -> tuple[int, tuple[LawName, ...]] | None:
        """The longest title that begins with the word ``chunk`` and where it ends."""
        key = stem(chunk[0])
        if key not in self._firsts:
            return None
        titles = self._all[0]
        best, end, longest = None, chunk.end(), _LEAD
        for count in range(1, _LONGEST + 1):
            laws = titles.laws.get(key)
            if laws is not None:
                best = (end, laws)
            if count == _LEAD:
                longest = titles.led.get(key, 0)
            if count >= longest or (count < _LEAD and key not in titles.begun):
                return best
            joint = LONG_JOINT.match(text, end)
            after = CHUNK.match(text, joint.end()) if joint else None
            if after is None:
                return best
            end = after.end()
            key = f"{key} {stem(after[0])}"
        return best

    @property
    def by_title(self) -> Laws:
        """All laws by the stems of their titles."""
        return self._all[0].laws

    @property
    def missing(self) -> tuple[LawName, ...]:
        """The laws that are known by their title alone."""
        return self._all[1]

    @cached_property
    def _firsts(self) -> frozenset[str]:
        """The words by which titles begin."""
        names = [name for law in self._laws for name in law.long_names]
        words = filter(None, map(CHUNK.search, (*names, *self._titles)))
        return frozenset({stem(word[0]) for word in words})

    @cached_property
    def _all(self) -> tuple[_Sorted, tuple[LawName, ...]]:
        titles, missing = _Sorted(), []
        for law in self._laws:
            for name in law.long_names:
                titles.add(name, law)
        for title in self._titles:
            key = fold_abbreviation(title)
            is_short = any(key in names for names in self._short)
            if not (is_short or fold_long(title) in titles.laws):
                law = LawName(title, long_names=(title, cut_subtitle(title)))
                missing.append(law)
                for name in law.long_names:
                    titles.add(name, law)
        self._add_without_year(titles)
        return titles, tuple(missing)

    def _add_without_year(self, titles: _Sorted) -> None:
        """``Kraftfahrzeugsteuergesetz 2002`` without its year, where no other law is called so."""
        called: dict[str, set[LawName]] = {}
        for law in self._laws:
            for name in law.long_names:
                dated = _WITH_YEAR.fullmatch(name)
                if dated is not None:
                    called.setdefault(dated[1], set()).add(law)
        for name, laws in called.items():
            key = fold_abbreviation(name)
            is_other = fold_long(name) in titles.laws or any(key in names for names in self._short)
            if len(laws) == 1 and not is_other:
                titles.add(name, laws.pop())
