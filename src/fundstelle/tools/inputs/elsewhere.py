"""Questions that neither federal nor EU law answers: law of the Länder, of towns, private rules.

The table names what is asked for most and left to others altogether; of what it does not name
nothing is said. A question that names a Land or another state may still be one of federal law
(extradition to Poland), so that only the law that is not held is named.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from fundstelle.law.lands import LANDS
from fundstelle.lookup.library import Library

_TABLE = "data/elsewhere.tsv"
_STATES = "data/states.tsv"
_WHOSE = {
    "land": "is a matter of the law of each Land",
    "treaty": "is a matter of a treaty of the Länder",
    "municipal": "is a matter of the statutes of towns under the law of their Land",
    "private": "is no law but rules that parties, associations or courts have made",
}
_NOTHING = "nothing of that is held here, and no hit answers for it"
_OWN_LAW = "has law of its own, and none of it is held here; the hits are not its law."
_NAMED = 3  # places of a question that are spoken of
_COURT = r"\b(?:[OBK]?[LAVFS]?G|[OL]?[LVAS]G|VGH|ArbG|\w{0,40}gericht(?:s|shof)?)\s+"
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


def tell_places(query: str, library: Library) -> list[str]:
    """Of each Land and other state that a question names, that its law is not held.

    Nothing is said of a Land whose laws are held, nor of a court that is called after a Land.
    """
    pattern, names = _read_places()
    named = dict.fromkeys(
        names[(match["place"] or match["law"]).lower()]
        for match in pattern.finditer(query)
        if not match["court"]
    )
    held = _name_lands(library).split(", ") if named else []
    told = [name for name in named if name not in held]
    return [f"{name} {_OWN_LAW}" for name in told[:_NAMED]]


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


@cache
def _read_places() -> tuple[re.Pattern[str], dict[str, str]]:
    """One pattern for all Länder and states, and by each way to write one its name."""
    names = {land.name.lower(): land.name for land in LANDS} | {"nrw": "Nordrhein-Westfalen"}
    adjectives = {}
    text = files("fundstelle.tools").joinpath(_STATES).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, adjective, english = line.split("\t")
            names |= {written.lower(): name for written in (name, english) if written}
            adjectives[adjective] = name
    every = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    of_law = "|".join(map(re.escape, sorted(adjectives, key=len, reverse=True)))
    place = rf"(?P<court>{_COURT})?(?<![\w-])(?P<place>{every})s?(?![\w-])"
    law = rf"(?<![\w-])(?P<law>{of_law})\w*\s+(?:Recht|Gesetz)"
    return re.compile(rf"{place}|{law}", re.IGNORECASE), names | adjectives
