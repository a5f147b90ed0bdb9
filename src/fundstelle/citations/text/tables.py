"""The data tables of this package: tab-separated, ``#`` for comments, ``|`` for lists."""

from functools import cache
from importlib import resources


@cache
def read_table(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of ``data/<name>.tsv``; every row has as many cells as the longest one."""
    file = resources.files("fundstelle.citations") / "data" / f"{name}.tsv"
    text = file.read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    width = max(map(len, rows), default=0)
    return tuple(tuple(row + [""] * (width - len(row))) for row in rows)


def split_list(cell: str) -> tuple[str, ...]:
    """The values of a list cell."""
    return tuple(part for part in cell.split("|") if part)


@cache
def read_words(kind: str) -> frozenset[str]:
    """The words of one kind in ``data/words.tsv``."""
    return frozenset(
        word for row in read_table("words") if row[0] == kind for word in row[1].split()
    )
