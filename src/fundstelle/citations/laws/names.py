"""Names of laws: the hand-kept table, and the registry built from it and from the corpus."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache, cached_property

from fundstelle.citations.laws.sozialgesetzbuch import list_book_names
from fundstelle.citations.laws.succession import find_succession
from fundstelle.citations.text.folding import (
    CHUNK,
    JOINT,
    LONG_JOINT,
    fold_abbreviation,
    fold_long,
    stem,
)
from fundstelle.citations.text.tables import read_table, read_words, split_list
from fundstelle.law.norms import Statute

_LONGEST_NAME = 80  # words
_TRAILING_YEAR = re.compile(r" (?:1[89]|20)\d\d$")
_SUBTITLE = re.compile(r"\s*(?:\((?!EU).*|\[.*| [-–] .*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LawName:
    """A law under the names it goes by.

    ``unit`` is what its provisions are called ("§" or "Art"), ``None`` where that is not known.
    ``definitions`` is the article whose numbered items are cited as Nr. ``valid_from`` and
    ``valid_until`` (ISO, the latter exclusive) are known for laws that were replaced or replace
    another; ``successors`` are canonical abbreviations, the chief one first.
    """

    abbreviation: str
    unit: str | None = None
    aliases: tuple[str, ...] = ()
    long_names: tuple[str, ...] = ()
    celex: str | None = None
    statute_id: str | None = None
    definitions: str | None = None
    by_hand: bool = False
    valid_from: str | None = None
    valid_until: str | None = None
    successors: tuple[str, ...] = ()

    @property
    def successor(self) -> str | None:
        """The law that chiefly replaced this one."""
        return self.successors[0] if self.successors else None


class LawNames:
    """A registry of law names: lookup of a name, and longest match inside a text."""

    def __init__(self, laws: Iterable[LawName], missing: Iterable[str] = ()) -> None:
        self.laws = tuple(laws)
        self._short: dict[str, tuple[LawName, ...]] = {}
        self._long: dict[str, tuple[LawName, ...]] = {}
        self._only_found: dict[str, tuple[LawName, ...]] = {}
        self._prefixes: set[str] = set()
        self._suggested: tuple[str, list[LawName]] = ("", [])
        for law in self.laws:
            self._add(law)
        for title in missing:
            if not self.find(title):
                law = LawName(title, long_names=(title, _SUBTITLE.sub("", title)))
                self.laws += (law,)
                self._add(law)

    @cached_property
    def signed(self) -> tuple[str, ...]:
        """Abbreviations that begin with a sign themselves: ``§ 118a EnWG-SubVO``."""
        return tuple(law.abbreviation for law in self.laws if law.abbreviation.startswith("§"))

    @classmethod
    def default(cls) -> "LawNames":
        """The hand-kept names alone; built once."""
        return _build_default()

    @classmethod
    def build(cls, statutes: Iterable[Statute], missing: Iterable[str] = ()) -> "LawNames":
        """The hand-kept names and those of ``statutes``, bound to their ids.

        ``missing`` are titles of laws that are not held; one of an unknown law is its name.
        """
        by_hand = {fold_abbreviation(law.abbreviation): law for law in _list_by_hand()}
        # EU acts are cited by number or by the names of their own table.
        german = (statute for statute in statutes if statute.jurisdiction == "de")
        laws = [_merge(statute, by_hand) for statute in german]
        held = {fold_abbreviation(law.abbreviation) for law in laws}
        laws += [law for key, law in by_hand.items() if law.celex or key not in held]
        return cls(laws, missing)

    def find(self, name: str) -> tuple[LawName, ...]:
        """All laws that go by ``name``; case, blanks and hyphens do not matter."""
        key = fold_abbreviation(name)
        found = self._short.get(key) or self._long.get(fold_long(name))
        return found or self._only_found.get(key, ())

    def match(self, text: str, pos: int) -> tuple[int, tuple[LawName, ...]] | None:
        """The longest name that begins at ``pos`` and ends at a word's end."""
        chunk = CHUNK.match(text, pos)
        if chunk is None:
            return None
        short = self._match_short(text, chunk)
        long = self._match_long(text, chunk)
        if short is None or long is None:
            return short or long
        return max(short, long, key=lambda match: match[0])

    def suggest(self, name: str, limit: int = 5) -> list[LawName]:
        """Laws whose names are near ``name``: for a miss, never for an answer."""
        key = fold_abbreviation(name)
        asked, near = self._suggested
        if asked != key:
            near = self._find_near(key) if key else []
            self._suggested = key, near  # who asks whether there is one asks for them next
        return near[:limit]

    def _find_near(self, key: str) -> list[LawName]:
        scored = []
        size, letters = len(key), _list_letters(key)
        matcher = SequenceMatcher(None, "", key, autojunk=False)  # keeps what it knows of the key
        for other, length, others in self._list_comparable(key[0], size):
            # What the matcher can find at most, for it is asked about thousands: letters that the
            # other name has not match nothing.
            alone = size - (letters & ~others).bit_count()
            if 2 * min(alone, length - (others & ~letters).bit_count()) <= _NEAR * (length + size):
                continue
            matcher.set_seq1(other)
            if matcher.quick_ratio() > _NEAR and (ratio := matcher.ratio()) > _NEAR:
                scored.append((-ratio, not self._short[other][0].by_hand, other))
        scored.sort()
        return list(dict.fromkeys(law for *_, other in scored for law in self._short[other]))

    def _list_comparable(self, first: str, size: int) -> Iterator[tuple[str, int, int]]:
        """Names that begin with the same letter, and others of about that length."""
        for (letter, length), names in self._spelt.items():
            if letter == first or abs(length - size) <= 1:
                yield from names

    @cached_property
    def _spelt(self) -> dict[tuple[str, int], list[tuple[str, int, int]]]:
        """By first letter and length: each short name with its length and its letters."""
        spelt: dict[tuple[str, int], list[tuple[str, int, int]]] = {}
        for name in self._short:
            held = spelt.setdefault((name[0], len(name)), [])
            held.append((name, len(name), _list_letters(name)))
        return spelt

    def _add(self, law: LawName) -> None:
        names = (law.abbreviation, *law.aliases)
        for name in names:
            if _TRAILING_YEAR.search(name) and _TRAILING_YEAR.sub("", name) in names:
                _put(self._only_found, fold_abbreviation(name), law)
            else:
                self._add_chunks(self._short, CHUNK.findall(name), "", law)
        for name in law.long_names:
            chunks = [stem(word) for word in CHUNK.findall(name)]
            if len(chunks) <= _LONGEST_NAME:
                self._add_chunks(self._long, chunks, " ", law)

    def _add_chunks(
        self, table: dict[str, tuple[LawName, ...]], chunks: list[str], glue: str, law: LawName
    ) -> None:
        if not chunks:
            return
        key = chunks[0].casefold()
        for chunk in chunks[1:]:
            self._prefixes.add(key)
            key = f"{key}{glue}{chunk.casefold()}"
        _put(table, key, law)

    def _match_short(
        self, text: str, chunk: re.Match[str]
    ) -> tuple[int, tuple[LawName, ...]] | None:
        start, end = chunk.span()
        key = chunk[0].casefold()
        best = None
        while True:
            laws = self._short.get(key)
            if laws is not None and _is_written_as_name(text[start:end]):
                best = (end, laws)
            if key not in self._prefixes:
                return best
            joint = JOINT.match(text, end)
            after = CHUNK.match(text, joint.end()) if joint else None
            if after is None:
                return best
            end = after.end()
            key += after[0].casefold()

    def _match_long(
        self, text: str, chunk: re.Match[str]
    ) -> tuple[int, tuple[LawName, ...]] | None:
        end = chunk.end()
        key = stem(chunk[0])
        best = None
        while True:
            laws = self._long.get(key)
            if laws is not None:
                best = (end, laws)
            if key not in self._prefixes:
                return best
            joint = LONG_JOINT.match(text, end)
            after = CHUNK.match(text, joint.end()) if joint else None
            if after is None:
                return best
            end = after.end()
            key = f"{key} {stem(after[0])}"


_NEAR = 0.7
_MOST_BITS = 1 << 256  # four of a kind are told apart


def choose_abbreviation(
    abbreviations_juris: Sequence[str], abbreviation_official: str | None, title: str
) -> str:
    """The abbreviation lawyers use: ``KredWG`` -> ``KWG``, ``AO 1977`` -> ``AO``.

    Without a hand-kept entry the official one, else the publisher's first, its year cut off where
    the title does not carry it. Two laws may get the same; the caller tells them apart.
    """
    canonical = _map_juris()
    for juris in abbreviations_juris:
        if juris in canonical:
            return canonical[juris]
    if abbreviation_official:
        return abbreviation_official
    if not abbreviations_juris:
        return title
    first = abbreviations_juris[0]
    year = _TRAILING_YEAR.search(first)
    if year is None or year[0].strip() in title:
        return first
    return first[: year.start()]


def is_kept_by_hand(abbreviations_juris: Sequence[str]) -> bool:
    """Whether the table of laws names this one, which then has the better claim to its name."""
    return any(juris in _map_juris() for juris in abbreviations_juris)


@cache
def _map_juris() -> dict[str, str]:
    """From the publisher's abbreviation to the canonical one, for hand-kept laws."""
    return {juris: law[0] for law in read_table("laws") for juris in (law[0], *split_list(law[2]))}


@cache
def _build_default() -> LawNames:
    return LawNames(_list_by_hand())


@cache
def _list_by_hand() -> tuple[LawName, ...]:
    laws = []
    for name, unit, juris, aliases, long_names, _source in read_table("laws"):
        books = list_book_names(name)
        time = find_succession(name)
        laws.append(
            LawName(
                abbreviation=name,
                unit=unit or None,
                aliases=split_list(juris) + split_list(aliases) + books.aliases,
                long_names=split_list(long_names) + books.long_names,
                by_hand=True,
                valid_from=time.since,
                valid_until=time.until,
                successors=time.successors,
            )
        )
    for name, celex, aliases, long_names, definitions, _source in read_table("eu_acts"):
        laws.append(
            LawName(
                abbreviation=name,
                unit="Art",
                aliases=split_list(aliases),
                long_names=split_list(long_names),
                celex=celex,
                definitions=definitions or None,
                by_hand=True,
            )
        )
    return tuple(laws)


def _merge(statute: Statute, by_hand: dict[str, LawName]) -> LawName:
    """A statute's names, with the hand-kept ones of the same law."""
    known = by_hand.get(fold_abbreviation(statute.abbreviation))
    if known is None or known.celex:
        known = LawName(statute.abbreviation)
    juris = statute.abbreviations_juris
    if statute.abbreviation_official:
        juris += (statute.abbreviation_official,)
    titles = [title for title in (statute.title, statute.short_title) if title]
    longs = [*titles, *(_SUBTITLE.sub("", title) for title in titles)]
    return replace(
        known,
        abbreviation=statute.abbreviation,
        aliases=tuple(dict.fromkeys((*known.aliases, *juris))),
        long_names=tuple(dict.fromkeys((*known.long_names, *longs))),
        statute_id=statute.statute_id,
    )


def _list_letters(name: str) -> int:
    """The letters of a name as bits, the further ones of a kind, too; kinds may share theirs."""
    bits = 0
    for letter in name:
        bit = 1 << (ord(letter) % 64)
        while bits & bit and bit < _MOST_BITS:
            bit <<= 64
        bits |= bit
    return bits


def _put(table: dict[str, tuple[LawName, ...]], key: str, law: LawName) -> None:
    held = table.get(key, ())
    if law not in held:
        table[key] = (*held, law)


def _is_written_as_name(written: str) -> bool:
    """Whether a word in lower case may be an abbreviation ("bgb", but not "wo")."""
    return not written.islower() or written not in read_words("lower_case")
