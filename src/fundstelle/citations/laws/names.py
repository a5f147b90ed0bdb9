"""Names of laws: the hand-kept table, and the registry built from it and from the corpus."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from itertools import accumulate

from fundstelle.citations.laws.long_names import Laws, LongNames, cut_subtitle, put
from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.own_titles import ActFacts, collect_facts
from fundstelle.citations.laws.sozialgesetzbuch import list_book_names
from fundstelle.citations.laws.succession import find_succession
from fundstelle.citations.text.folding import (
    CHUNK,
    JOINT,
    fold_abbreviation,
    fold_long,
)
from fundstelle.citations.text.tables import read_table, read_words, split_list
from fundstelle.law.norms import Statute

_TRAILING_YEAR = re.compile(r" (?:1[89]|20)\d\d$")


class LawNames:
    """A registry of law names: lookup of a name, and longest match inside a text."""

    def __init__(
        self,
        laws: Iterable[LawName],
        missing: Iterable[str] = (),
        facts: Mapping[str, tuple[ActFacts, ...]] | None = None,
        acts: Mapping[str, LawName] | None = None,
    ) -> None:
        self._held = tuple(laws)
        self._facts = facts or {}
        self._acts = acts or {}
        self._short: Laws = {}
        self._only_found: Laws = {}
        self._prefixes: set[str] = set()
        self._suggested: tuple[str, list[LawName]] = ("", [])
        for law in self._held:
            self._add(law)
        self._long = LongNames(self._held, tuple(missing), (self._short, self._only_found))

    @property
    def laws(self) -> tuple[LawName, ...]:
        """All laws, those last that are not held and known by their title alone."""
        return self._held + self._long.missing

    @cached_property
    def signed(self) -> tuple[str, ...]:
        """Abbreviations that begin with a sign themselves: ``§ 118a EnWG-SubVO``."""
        return tuple(law.abbreviation for law in self._held if law.abbreviation.startswith("§"))

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
        statutes = tuple(statutes)
        # EU acts are cited by number or by the names of their own table.
        german = (statute for statute in statutes if statute.jurisdiction != "eu")
        laws = [_merge(statute, by_hand) for statute in german]
        held = {fold_abbreviation(law.abbreviation) for law in laws}
        laws += [law for key, law in by_hand.items() if law.celex or key not in held]
        return cls(laws, missing, collect_facts(statutes), _list_acts(statutes))

    def get_facts(self, celex: str) -> tuple[ActFacts, ...]:
        """What is held of an EU act that is cited with its number, in each language."""
        return self._facts.get(celex, ())

    def find_act(self, title: str) -> LawName | None:
        """The EU act with that whole title, which is no name that a text has."""
        return self._acts.get(fold_long(title))

    def list_tables(self) -> tuple[Laws, Laws]:
        """All laws by their abbreviations, folded, and by their titles, in stems."""
        glued = dict(self._short)
        for name, laws in self._only_found.items():
            for law in laws:
                put(glued, name, law)
        return glued, self._long.by_title

    def prepare(self) -> None:
        """Sort the titles now, not when a text first has a word by which one begins."""
        self._long.prepare()

    def find(self, name: str) -> tuple[LawName, ...]:
        """All laws that go by ``name``; case, blanks and hyphens do not matter."""
        key = fold_abbreviation(name)
        return self._short.get(key) or self._long.find(name) or self._only_found.get(key, ())

    def match(self, text: str, pos: int) -> tuple[int, tuple[LawName, ...]] | None:
        """The longest name that begins at ``pos`` and ends at a word's end."""
        chunk = CHUNK.match(text, pos)
        if chunk is None:
            return None
        short = self._match_short(text, chunk)
        long = self._long.match(text, chunk)
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
        from rapidfuzz import process  # noqa: PLC0415 -- 30 ms, and most names are known
        from rapidfuzz.distance import Indel  # noqa: PLC0415

        how_near = Indel.normalized_similarity
        near = process.extract(
            key, list(self._near), scorer=how_near, score_cutoff=_NEAR, limit=None
        )
        scored = [(-score, not self._near[name][0].by_hand, name) for name, score, _ in near]
        return list(dict.fromkeys(law for *_, name in sorted(scored) for law in self._near[name]))

    @cached_property
    def _near(self) -> Laws:
        """All laws by what is compared with a name that nobody has."""
        laws = dict(self._short)
        for law in self._long.missing:
            put(laws, fold_abbreviation(law.abbreviation), law)
        return laws

    def _add(self, law: LawName) -> None:
        names = (law.abbreviation, *law.aliases)
        for name in names:
            if _TRAILING_YEAR.search(name) and _TRAILING_YEAR.sub("", name) in names:
                put(self._only_found, fold_abbreviation(name), law)
            else:
                self._add_short(CHUNK.findall(name.casefold()), law)

    def _add_short(self, chunks: list[str], law: LawName) -> None:
        if chunks:
            self._prefixes.update(accumulate(chunks[:-1]))
            put(self._short, "".join(chunks), law)

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


_NEAR = 0.7  # twice the letters in common, by all letters


def choose_abbreviation(
    abbreviation_juris: str, abbreviation_official: str | None, title: str
) -> str:
    """The abbreviation lawyers use: ``KredWG`` -> ``KWG``, ``AO 1977`` -> ``AO``.

    Without a hand-kept entry the official one, else the publisher's, its year cut off where the
    title does not carry it. Two laws may get the same; the caller tells them apart.
    """
    canonical = _map_juris()
    if abbreviation_juris in canonical:
        return canonical[abbreviation_juris]
    if abbreviation_official:
        return abbreviation_official
    if not abbreviation_juris:
        return title
    year = _TRAILING_YEAR.search(abbreviation_juris)
    if year is None or year[0].strip() in title:
        return abbreviation_juris
    return abbreviation_juris[: year.start()]


def is_kept_by_hand(abbreviation_juris: str) -> bool:
    """Whether the table of laws names this one, which then has the better claim to its name."""
    return abbreviation_juris in _map_juris()


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
    for name, unit, juris, aliases, long_names, source in read_table("laws"):
        books = list_book_names(name)
        time = find_succession(name)
        laws.append(
            LawName(
                abbreviation=name,
                unit=unit or None,
                aliases=split_list(juris) + split_list(aliases) + books.aliases,
                long_names=split_list(long_names) + books.long_names,
                by_hand=True,
                nature=source.partition("(")[2].rstrip(")") or None,
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
    longs = [*titles, *map(cut_subtitle, titles)]
    return replace(
        known,
        abbreviation=statute.abbreviation,
        aliases=tuple(dict.fromkeys((*known.aliases, *juris))),
        long_names=tuple(dict.fromkeys((*known.long_names, *longs))),
        statute_id=statute.statute_id,
    )


def _is_written_as_name(written: str) -> bool:
    """Whether a word in lower case may be an abbreviation ("bgb", but not "wo")."""
    return not written.islower() or written not in read_words("lower_case")


def _list_acts(statutes: Iterable[Statute]) -> dict[str, LawName]:
    """EU acts by their whole titles, folded; of those alike the first."""
    acts: dict[str, LawName] = {}
    for statute in statutes:
        if statute.jurisdiction == "eu":
            celex = statute.statute_id.partition("/")[2].partition(":")[0]
            act = LawName(statute.abbreviation, celex=celex, statute_id=statute.statute_id)
            acts.setdefault(fold_long(statute.title), act)
    return acts
