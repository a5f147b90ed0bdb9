"""Versions of a law: ``a. F.``, ``nF``, a year, "in der am … geltenden Fassung"."""

import re

from fundstelle.citations.text.dates import DATE, read_date

_MAY_FOLLOW = re.compile(r"\s*[,(<\[]?\s*[aniNF12]")
OLD_OR_NEW = re.compile(
    r"\s*,?\s*(?P<bracket>[(<\[]\s*)?(?:(?P<old>(?:a\.\s?F\.?|aF|a F)(?![^\W_])|alter?\s+Fassung)"
    r"|(?P<new>(?:n\.\s?F\.?|nF|n F)(?![^\W_])|neuer?\s+Fassung))(?(bracket)\s?[)>\]])",
)
AS_OF, UNTIL = "asof:", "until:"  # before the day of a version: of the last one until it
_YEAR = re.compile(r"\s((?:1[89]|20)\d\d)(?![\w/]|\.\d|-\d|,\s*\d|\s*\(\d|\s+S\.)")
# The same in other forms: "(2009)", "[Fassung 2009]", "idF 2009", "in der Fassung des Jahres 2009".
_OF_YEAR = r"(?:idF|i\.\s?d\.\s?F\.|in\s+der\s+Fassung|Fassung)(?:\s+(?:von|aus|des\s+Jahres))?\s+"
_EDITION = re.compile(
    rf"\s?(?:\((?:{_OF_YEAR})?(?P<round>(?:1[89]|20)\d\d)\)|\[(?:{_OF_YEAR})?(?P<square>(?:1[89]|20)\d\d)\])"
    rf"|(?:,\s?|\s){_OF_YEAR}(?P<said>(?:1[89]|20)\d\d)(?![\w/]|\.\d|-\d)"
)
_AS_OF = re.compile(
    rf"\s*,?\s*in\s+der\s+(?:am|(?P<until>bis(?:\s+zum)?)|zum|ab|ab\s+dem|seit\s+dem|vom|mit\s+Wirkung\s+vom)\s+"
    rf"(?P<day>{DATE})(?:\s+an)?\s+(?:geltenden|gültigen|anwendbaren|maßgeblichen|maßgebenden)\s+Fassung"
)
WORDING = re.compile(
    rf"\s*+(?:,\s*+)?(?P<clause>(?:idF|i\.\s?d\.\s?F\.|in\s+der\s+Fassung)"
    rf"(?P<of>\s+(?:der\s+)?(?:Bekanntmachung\s+)?(?:vom|v\.)\s+{DATE}"
    rf"|\s+(?:des|der)\s+(?!Art(?:ikels?|\.)\s)[\w.-]+(?:\s+\d{{4}})?)?)"
)
"""Which wording of the law is meant; its date is no version of the norm."""


def read_version(text: str, pos: int) -> tuple[str | None, int]:
    """The version named behind a law, and where it ends; the Fassung of a date is no version."""
    if _MAY_FOLLOW.match(text, pos) is None:
        return None, pos
    version = None
    year = _read_year(text, pos)
    if year is not None:
        version, pos = year[year.lastindex or 0], year.end()
    as_of = _AS_OF.match(text, pos)
    if as_of is not None:
        on = read_date(as_of["day"])
        kind = UNTIL if as_of["until"] else AS_OF
        version, pos = (f"{kind}{on}" if on else version), as_of.end()
    which = OLD_OR_NEW.match(text, pos)
    if which is not None:
        version, pos = ("aF" if which["old"] else "nF"), which.end()
    wording = WORDING.match(text, pos)
    return version, wording.end() if wording is not None else pos


def find_mark_end(text: str, pos: int) -> int:
    """Where a year, ``a. F.`` or ``nF`` right behind a name ends, ``pos`` if there is none."""
    if _MAY_FOLLOW.match(text, pos) is None:
        return pos
    year = _read_year(text, pos)
    pos = year.end() if year is not None else pos
    which = OLD_OR_NEW.match(text, pos)
    return which.end() if which is not None else pos


def _read_year(text: str, pos: int) -> re.Match[str] | None:
    """The year behind a name, which is the last group that matched."""
    return _YEAR.match(text, pos) or _EDITION.match(text, pos)
