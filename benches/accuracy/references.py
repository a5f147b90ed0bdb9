"""References between statutes, against mentions that were labelled by reading.

FUNDSTELLE_DATA=DATA python -m benches.accuracy.references [--sample NAME] [--show]

The samples hold places and labels, no words of a law: of each passage the norm, its bounds in the
norm's stored text and a hash of that text; for each mention where its sign stands, the law and what
is cited in it. ``=`` is the law that the passage stands in, ``?`` one that is not held, ``~`` one
that the passage does not tell; "4 abs=1/nr=2" a unit, "8-12" a range, "anlage 2" an annex.
``references_locked.json`` is a third of the sample, for the end of a work;
``references_twice.json`` has one place of each of 190 further laws, read by two readers apart (326
of 330 labels alike). ``references_sealed.json`` has one place of each of 160 laws that are in none
of the others, labelled before the code had read them and measured once, at the end of a work;
``references_unseen.json`` the same of 60 laws more, drawn when those were no longer unseen.
"""

import argparse
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.results import write_results
from fundstelle.corpus import builds
from fundstelle.corpus.rows import sort_key
from fundstelle.corpus.sqlite import SqliteBuild
from fundstelle.ingest.graph.references import build_finder
from fundstelle.law.identifiers import build_norm_id

HERE = Path(__file__).parent
SAMPLES = {
    "dev": HERE / "references_gold.json",
    "locked": HERE / "references_locked.json",
    "twice": HERE / "references_twice.json",
    "sealed": HERE / "references_sealed.json",
    "unseen": HERE / "references_unseen.json",
}
NOT_HELD = "?"
NOT_TOLD = "~"
OWN = "="
_ID = "id:"  # a norm by the last part of its id, for what counts by no single number

Unit = tuple[str | None, str]
"""A norm's id, ``None`` for what is not held, and the path below it."""


@dataclass(frozen=True, slots=True)
class Place:
    """What one place of a text cites."""

    start: int
    end: int
    units: frozenset[Unit]


class Store:
    """The norms of a build, as labels name them."""

    def __init__(self, store: SqliteBuild) -> None:
        self.store = store
        self.finder = build_finder(store)

    def read_label(self, law: str, written: str) -> Iterator[Unit]:
        """What a label means: "8-12" all sections between, "4 abs=1-3" three units."""
        if law == NOT_HELD:
            yield None, ""
            return
        if written.startswith(_ID):
            number, _, path = written.removeprefix(_ID).partition(" ")
            norm_id = self._find(f"{law}/{number}")
            yield norm_id, path if norm_id else ""
            return
        annex = written.startswith("anlage")
        number, _, path = written.removeprefix("anlage").lstrip().partition(" ")
        if annex:
            number = f"anlage {number}".strip()
        first, _, last = number.partition("-")
        for norm_id in self._list_norms(law, first, last):
            for one in _unfold(path) if norm_id else ("",):
                yield norm_id, one

    def _list_norms(self, law: str, first: str, last: str) -> list[str | None]:
        if law.startswith("eu/"):
            return [self._find(f"{law}/art_{first}")]
        if last and not first.startswith("anlage"):
            low, high = sort_key(first), sort_key(last)
            numbers = sorted(self.store.list_numbers(law))
            ordinals = [ordinal for key, ordinal in numbers if low <= key <= high]
            return [norm.norm_id for norm in self.store.get_norms_by_ordinal(ordinals)]
        return [self._find(build_norm_id(law, first)) or self._find_in_range(law, first)]

    def _find(self, norm_id: str) -> str | None:
        found = self.store.find_norm(norm_id)
        return found.norm_id if found else None

    def _find_in_range(self, law: str, number: str) -> str | None:
        """What stands for several: "§§ 1 bis 4 (weggefallen)"; "Art 1" beside "§ 1"."""
        article = self._find(build_norm_id(law, f"art-{number}"))
        key = sort_key(number)
        statute = list(self.store.statutes).index(law)
        for ordinal, held, low, high in self.store.iter_ranges():
            if held == statute and low <= key <= high and not article:
                return self.store.get_cited_id(ordinal)
        return article

    def read_places(self, norm_id: str) -> list[Place]:
        """What the code finds in a norm; laws named without a provision are left out."""
        norm, fassung = self.store.find_norm(norm_id), self.store.find_fassung(norm_id)
        assert norm is not None
        assert fassung is not None
        places: dict[tuple[int, int], set[Unit]] = {}
        for reference in self.finder.read(norm, fassung.text):
            if reference.target.number is None and reference.target.unit is None:
                continue
            place = reference.found.start, reference.found.end
            units = places.setdefault(place, set())
            for one in reference.cited:
                cited = self.store.get_cited_id(one.ordinal)
                units.add((cited, one.path if cited else ""))
        return [Place(*place, frozenset(units)) for place, units in places.items()]


def _unfold(path: str) -> list[str]:
    """A path with the members of its range: "abs=1-3" -> "abs=1", "abs=2", "abs=3"."""
    *above, last = path.split("/")
    level, _, value = last.partition("=")
    first, dash, end = value.partition("-")
    if not dash:
        return [path]
    if first.isdigit() and end.isdigit():
        members = [str(number) for number in range(int(first), int(end) + 1)]
    elif len(first) == len(end) == 1:
        members = [chr(letter) for letter in range(ord(first), ord(end) + 1)]
    else:
        members = [first, end]
    return ["/".join([*above, f"{level}={member}"]) for member in members]


@dataclass(slots=True)
class Tally:
    """How many of what was labelled was found, and of what was found is labelled."""

    wanted: int = 0
    found: int = 0
    given: int = 0
    right: int = 0

    def add(self, wanted: frozenset[Any], given: frozenset[Any]) -> None:
        """What one mention should give and what was given there."""
        self.wanted += len(wanted)
        self.found += len(wanted & given)
        self.given += len(given)
        self.right += len(wanted & given)

    def describe(self) -> dict[str, float | int]:
        """Both rates and what they were counted from."""
        return {
            "precision": round(self.right / max(1, self.given), 4),
            "recall": round(self.found / max(1, self.wanted), 4),
            "wanted": self.wanted,
            "given": self.given,
        }


def score(rows: Sequence[dict[str, Any]], store: Store, *, show: bool) -> dict[str, Any]:
    """Precision and recall of the norms, and of the units below them."""
    norms, units = Tally(), Tally()
    counts: Counter[str] = Counter()
    for row in rows:
        fassung = store.store.find_fassung(row["norm"])
        text = fassung.text if fassung else ""
        if hashlib.sha256(text.encode()).hexdigest()[:12] != row["text"]:
            counts["another text"] += 1
            continue
        statute = store.store.find_norm(row["norm"]).statute_id  # type: ignore[union-attr]
        counts["passages"] += 1
        places = [
            place
            for place in store.read_places(row["norm"])
            if row["from"] <= place.start < row["to"]
        ]
        for place in _group(row, places):
            wanted = frozenset(
                unit
                for _, law, labels in place.mentions
                for label in labels
                for unit in store.read_label(statute if law == OWN else law, label)
            )
            counts["mentions"] += len(place.mentions)
            units.add(wanted, place.given)
            norms.add(frozenset(u for u, _ in wanted), frozenset(u for u, _ in place.given))
            if show and wanted != place.given:
                print(f"{row['norm']} {text[place.where[0] : place.where[1]]!r}")
                print(f"    missing {_write(wanted - place.given)}")
                print(f"    wrong   {_write(place.given - wanted)}")
    return {**counts, "norms": norms.describe(), "units": units.describe()}


def _write(units: frozenset[Unit]) -> list[str]:
    return sorted(f"{norm} {path}".strip() for norm, path in units)


@dataclass(frozen=True, slots=True)
class _Compared:
    mentions: list[list[Any]]
    given: frozenset[Unit]
    where: tuple[int, int]


def _group(row: dict[str, Any], places: Sequence[Place]) -> Iterator[_Compared]:
    """Each place found with the mentions inside it, and each mention that no place covers."""
    left = list(row["mentions"])
    for place in places:
        inside = [one for one in left if place.start <= one[0] < place.end]
        left = [one for one in left if one not in inside]
        if not any(law == NOT_TOLD for _, law, _ in inside):
            yield _Compared(inside, place.units, (place.start, place.end))
    for one in left:
        if one[1] != NOT_TOLD:
            yield _Compared([one], frozenset(), (one[0], one[0] + 60))


def open_live(data: Path) -> Store:
    """The live build of a data folder."""
    release = builds.get_live(data)
    assert release is not None, "no build is live"
    return Store(SqliteBuild(builds.get_folder(data, release) / builds.DATABASE))


def main() -> None:
    """Measure one sample and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sample", choices=SAMPLES, default="dev")
    parser.add_argument("--show", action="store_true", help="print what differs")
    given = parser.parse_args()
    name = given.sample
    rows = json.loads(SAMPLES[name].read_text(encoding="utf-8"))
    figures = score(rows, open_live(Path(os.environ["FUNDSTELLE_DATA"])), show=given.show)
    print(json.dumps({name: figures}, indent=2))
    write_results(f"references_{name}", figures)


if __name__ == "__main__":
    main()
