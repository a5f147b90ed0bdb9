"""The pages that decisions name, kept with a build for the next one.

Whose page a page is, all decisions of a build tell together, those that are taken over as well.

```text
[[row, key, court, witness], …]      a line a decision, in the order of their numbers, in one gzip
[court, dockets, day, number, row, speaks]       a witness, or null
```

A row is its place among the rows of the decision, a number that of a decision in this build.
"""

import gzip
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from fundstelle.ingest.graph.concordance import NamedPlace, Witness

FILE = "places.jsonl.gz"  # in the folder of a build

_LEVEL = 1  # it is read once by each update


@contextmanager
def writing_places(database: Path) -> Iterator[Callable[[Sequence[NamedPlace]], None]]:
    """To keep beside the database of a build what each of its decisions names, one by one."""
    with (
        database.with_name(FILE).open("xb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed,
    ):

        def add(places: Sequence[NamedPlace]) -> None:
            packed.write(orjson.dumps([_encode(one) for one in places]) + b"\n")

        yield add


def _encode(place: NamedPlace) -> list[Any]:
    witness = place.witness
    said = None
    if witness is not None:
        row = witness.row[1] if witness.row is not None else None
        dockets = sorted(witness.dockets)
        said = [witness.court, dockets, witness.day, witness.number, row, witness.speaks]
    return [place.row[1], place.key, place.court, said]


def exists(database: Path) -> bool:
    """Whether they were kept beside the database of a build."""
    return database.with_name(FILE).is_file()


def read_places(
    database: Path, numbers: Sequence[tuple[int, int]], decisions: "array[int]"
) -> Iterator[list[NamedPlace]]:
    """What some decisions of that build name, by the numbers of another one.

    Args:
        database: of the build.
        numbers: theirs in the build, ascending, and in the other one.
        decisions: of each decision of the build its number in the other one.
    """
    wanted = iter(numbers)
    at, number = next(wanted, (-1, -1))
    with gzip.open(database.with_name(FILE), "rb") as lines:
        for was, line in enumerate(lines):
            if was == at:
                yield [_decode(one, number, decisions) for one in orjson.loads(line)]
                at, number = next(wanted, (-1, -1))


def _decode(stored: list[Any], number: int, decisions: "array[int]") -> NamedPlace:
    place, key, court, said = stored
    witness = None
    if said is not None:
        named, dockets, day, held, row, speaks = said
        witness = Witness(
            named,
            frozenset(dockets),
            day,
            decisions[held] if held is not None else None,
            (number, row) if row is not None else None,
            speaks,
        )
    return NamedPlace((number, place), key, court, witness)
