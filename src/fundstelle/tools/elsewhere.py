"""Questions that neither federal nor EU law answers: law of the Länder, of towns, private rules.

The table names what is asked for most and left to others altogether; of what it does not name
nothing is said.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from fundstelle.law.lands import LANDS
from fundstelle.lookup.library import Library

_TABLE = "data/elsewhere.tsv"
_WHOSE = {
    "land": "is a matter of the law of each Land",
    "treaty": "is a matter of a treaty of the Länder",
    "municipal": "is a matter of the statutes of towns under the law of their Land",
    "private": "is no law but rules that parties, associations or courts have made",
}
_NOTHING = "nothing of that is held here, and no hit answers for it"
_STEP = "Do not answer from the hits: name what is missing, and ask for its text."


def tell_elsewhere(query: str, library: Library) -> tuple[str, str] | None:
    """Whose matter a question is, if not that of federal or EU law, and what to do."""
    found = next(_find(query), None)
    if found is None:
        return None
    word, kind = found
    held = "" if kind == "private" else _name_lands(library)
    rest = f"held of the Länder: {held}" if held else _NOTHING
    return f"{word} {_WHOSE[kind]}; {rest}.", _STEP


def _find(query: str) -> Iterator[tuple[str, str]]:
    """The words of a question that the table has, as it writes them, and their kind."""
    pattern, words = _read()
    for match in pattern.finditer(query):
        yield words[match[1].lower()]


def _name_lands(library: Library) -> str:
    codes = {one.jurisdiction for one in library.store.statutes.values()}
    return ", ".join(land.name for land in LANDS if land.code in codes)


@cache
def _read() -> tuple[re.Pattern[str], dict[str, tuple[str, str]]]:
    """One pattern for all words, and by each way to write one its spelling and kind."""
    words: dict[str, tuple[str, str]] = {}
    text = files("fundstelle.tools").joinpath(_TABLE).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            kind, _, listed = line.partition("\t")
            for word in listed.split("|"):
                words[word.lower()] = words[word.lower().replace("ß", "ss")] = (word, kind)
    every = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)({every})", re.IGNORECASE), words
