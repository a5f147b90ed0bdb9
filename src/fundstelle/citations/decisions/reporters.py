"""Collections and journals: ``BVerfGE 7, 198``, ``NJW 2004, 1234``, ``SozR 4-2700 § 8 Nr 62``."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from fundstelle.citations.decisions.margins import MARGIN
from fundstelle.citations.text.tables import read_table, split_list

_PINPOINT = re.compile(
    r"(?:\s*(?:<\d[^<>;]{0,40}>|\(\d{1,4}(?:\s?f{1,2}\.?)?\))"
    r"|,\s?\d{1,4}(?!\d|[./]\d)(?:\s?f{1,2}\.?)?(?!\s+[A-ZÄÖÜ]\w*\s+\d+/|\.\s?L(?:eits|[Ss](?!\w)))"
    rf"|\s+(?:ff|f)\.(?!\w)|,?\s*(?:juris\s)?{MARGIN}\s?\d+(?:\s?f{{1,2}}\.?(?!\w))?(?:,\s?\d+)*)*"
)
_PAIR = re.compile(
    r"(?P<volume>[0-9](?<![0-9.,/-][0-9])[0-9]{0,3})(?:,\s?|\s)(?:S\.?\s?|Nr\.\s?)?"
    r"(?P<page>(?:I{1,2}-(?:[AB]-)?)?[0-9]{1,6})"
    r"(?![\d/]|\.\d)"
)
_NAME_BEFORE = re.compile(
    r"(?P<two>(?<![\w/+-])[\w.&+/-]+\s\(?(?P<one>[\w.&+/-]+))\)?\s?$|(?<![\w/+-])(?P<alone>[\w.&+/-]+)\)?\s?$"
)
_LONGEST_NAME = 44
_SECOND = re.compile(r"\s*;\s*(\d{1,3}),\s?(\d{1,4})(?![\d./])")
_SECOND_YEAR = re.compile(r"\s*;\s*((?:19|20)\d\d),\s?(\d{1,5})(?![\d./])")
_TAX_GAZETTE = re.compile(
    r"(?<!\w)BStBl\.?\s(?P<year>(?:19|20)\d\d),?\s(?:Teil\s)?(?P<part>I{1,3}),?\s(?:S\.?\s?)?"
    r"(?P<page>\d{1,5})(?![\d/])"
)
_OPENED = re.compile(r"(?:^|[,;=(])\s*$")
_SHORTEST_FOLDED = 3  # letters; "ja 2019, 12" is no page of the JA


class Page(NamedTuple):
    """A page of a reporter at a place."""

    reporter: str
    volume: str
    page: str
    start: int
    end: int


def find_pages(text: str) -> Iterator[Page]:
    """All pages named in ``text``; collections by key after those by volume or year."""
    names, kinds = _map_names(), _map_kinds()
    for match in _PAIR.finditer(text):
        start = _skip_band(text, match.start())
        if not _may_be_name(text, start):
            continue
        before = _NAME_BEFORE.search(text, max(0, start - _LONGEST_NAME), start)
        name, at = _look_up(before, names) if before else (None, start)
        if name is None or (kinds[name] == "year") != (len(match["volume"]) == len("2004")):
            continue
        end = _skip_pinpoints(text, match.end())
        name = "EuGHE" if name == "EuGHE I" else name
        yield Page(name, match["volume"], match["page"], at, end)
        yield from _read_more(text, name, end, _SECOND if kinds[name] == "volume" else _SECOND_YEAR)
    for match in _TAX_GAZETTE.finditer(text) if "BStBl" in text else ():
        end = _skip_pinpoints(text, match.end())
        name = f"BStBl {match['part']}"
        yield Page(name, match["year"], match["page"], match.start(), end)
    for match in _iter_keyed(text):
        volume = " ".join((match["key"] or match["entry"] or match["under"]).split()).rstrip(" ,")
        end = _skip_pinpoints(text, match.end())
        item = match["item"] or match["number"] or match["count"]
        yield Page(_get_name(match["name"]), volume, item, match.start(), end)


def _iter_keyed(text: str) -> Iterator[re.Match[str]]:
    """Entries of collections with keys, from left to right."""
    if "§" not in text and "Art" not in text and "Nr" not in text and "Bl" not in text:
        return
    floor = 0
    for name in _key_words().finditer(text):
        match = _keyed().match(text, name.start()) if name.start() >= floor else None
        if match is not None:
            yield match
            floor = match.end()


@cache
def _key_words() -> re.Pattern[str]:
    """How the names of collections with keys begin; each with a plain letter first."""
    words = {name.split()[0] for name in _list_names("key")}
    return re.compile(
        "|".join(f"{word[0]}(?<!\\w{word[0]}){re.escape(word[1:])}" for word in words)
    )


def _skip_band(text: str, start: int) -> int:
    """``BGHZ Bd. 12, 34``: where the word for the volume begins."""
    for word in ("Bd. ", "Band "):
        if text.endswith(word, 0, start):
            return start - len(word)
    return start


def _may_be_name(text: str, start: int) -> bool:
    """Whether the word before is the last one of a reporter's name; cheap, and seldom so."""
    words = text[max(0, start - _LONGEST_NAME) : start].rstrip(" )").rsplit(None, 1)
    return bool(words) and _fold(words[-1].strip("(")) in _list_last_words()


@cache
def _list_last_words() -> frozenset[str]:
    names = {name for row in read_table("reporters") for name in (row[0], *split_list(row[2]))}
    return frozenset(_fold(name.split()[-1]) for name in names) | frozenset(map(_fold, names))


def _look_up(before: re.Match[str], names: dict[str, str]) -> tuple[str | None, int]:
    """The reporter that ends there, of two words ("BStBl II") or of one."""
    for group in ("two", "one", "alone"):
        if before[group]:
            name = names.get(_fold(before[group]))
            if name is not None and _is_written_as(before, group, name):
                return name, before.start(group)
    return None, before.end()


def _is_written_as(before: re.Match[str], group: str, name: str) -> bool:
    """Whether the letters are as printed: names of two letters are words in other letters.

    A company is an AG too; the journal follows a comma or a bracket.
    """
    if len(name) >= _SHORTEST_FOLDED:
        return True
    opened = name != "AG" or _OPENED.search(before.string, 0, before.start(group)) is not None
    return opened and before[group].rstrip(".") == name


def _get_name(written: str) -> str:
    return _map_names()[_fold(written)]


def _fold(name: str) -> str:
    return "".join(name.split()).rstrip(".").casefold()


def _read_more(text: str, reporter: str, end: int, pattern: re.Pattern[str]) -> Iterator[Page]:
    """``BVerfGE 7, 198 <208>; 77, 65``: further volumes without the name."""
    while (match := pattern.match(text, end)) is not None:
        end = _skip_pinpoints(text, match.end())
        yield Page(reporter, match[1], match[2], match.start(1), end)


def _skip_pinpoints(text: str, end: int) -> int:
    match = _PINPOINT.match(text, end)
    return match.end() if match else end


@cache
def _map_kinds() -> dict[str, str]:
    return {row[0]: row[1] for row in read_table("reporters")}


@cache
def _map_names() -> dict[str, str]:
    return {
        _fold(name): row[0]
        for row in read_table("reporters")
        for name in (row[0], *split_list(row[2]))
    }


def _list_names(kind: str) -> set[str]:
    return {
        name
        for row in read_table("reporters")
        if row[1] == kind
        for name in (row[0], *split_list(row[2]))
    }


def _join(kind: str) -> str:
    ordered = sorted(_list_names(kind), key=lambda name: (-len(name), name))
    return "|".join(
        re.escape(name).replace(r"\ ", r"\s?").replace(r"\.", r"\.?") for name in ordered
    )


@cache
def _keyed() -> re.Pattern[str]:
    law = r"[A-ZÄÖÜ][\w-]*(?:\s(?:19|20)\d\d)?"
    section = (
        rf"(?:{law}\s)?(?:§§?|Art\.?)\s?\d+(?:\s?[a-z])?"
        r"(?:\s(?:Abs|Satz|Ziff|S|Nr(?=\.\s\d+\s[A-Z]))\.?\s?\d+)*"
    )
    return re.compile(
        rf"(?<![\w/+-])(?P<name>{_join('key')})\s"
        rf"(?:(?P<key>(?:[\d.]+(?:\s?-\s?\d+)?\s)?{section}(?:\s<[^<>]{{1,6}}>)?(?:\s(?!Nr){law})*|[\d.]+\s(?:[A-ZÄÖÜ][\w-]*\s){{0,3}}?[A-ZÄÖÜ][\w-]*)\s*,?\s*"
        r"(?:Nr\.?|Bl\.?)\s?(?P<item>\d+)"
        rf"|(?P<entry>{law}\s(?:§§?|Art\.?)\s\d+[a-z]?(?:\s(?:Abs|Satz|S|Nr)\.?\s\d+)*\s[A-ZÄÖÜ][^\d;()§.]{{2,60}}?)"
        r"\s(?P<number>\d+)(?![\d/.]\d)"
        rf"|Nr\.?\s(?P<count>\d+)\szu\s(?P<under>§\s\d+[a-z]?\s{law}))"
    )
