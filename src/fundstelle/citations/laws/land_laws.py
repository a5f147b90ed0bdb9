"""Laws of a Land that a decision or a draft calls as a federal law is called.

"§ 4 des Informationsfreiheitsgesetzes Schleswig-Holstein (IFG)": from there on ``IFG`` is the law
of that Land, which is not held, until the decision says otherwise ("des Bundes (IFG)"). And what
names such a law of a Land, "IFG NRW", does not mean a federal law that was enacted later.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fundstelle.citations.laws import of_land
from fundstelle.citations.text.tables import read_words
from fundstelle.law.citations import FoundCitation, NormCitation, Target
from fundstelle.law.lands import LANDS
from fundstelle.law.norms import Statute

_STEMS = "|".join(
    sorted({form for land in LANDS for form in (land.name[:-2], land.name.replace("-", ""))})
)
_LAND = rf"(?:(?:{_STEMS})\w{{0,8}}|{of_land.SHORT}(?!\w))"
_ANY_LAND = re.compile(_LAND)
_LAW = r"[A-ZÄÖÜ][a-zäöüß]{3,60}(?:gesetz|ordnung)(?:e?s)?(?!\w)"
_INTRODUCED = re.compile(
    r"\((?:(?:im\sFolgenden|nachfolgend|künftig):?|[-–])?\s?[„\"“]?(?P<name>[A-ZÄÖÜ]\w{1,12})[“”\"]?\)"
)
_TITLED = re.compile(
    rf"(?<!\w)(?:{_LAW}\s(?:(?:für|von|des|der)\s(?:(?:das|den|die)\s)?)?(?:{of_land.STYLE}\s)?(?P<behind>{_LAND})"
    rf"|(?P<before>{_LAND})\s{_LAW}"
    rf"|(?P<federal>{_LAW}\sdes\sBundes|Bundes[a-zäöüß]{{3,60}}(?:gesetz|ordnung)(?:e?s)?))"
    # up to the name, but for what is of another law, of which the name then is
    r"(?:(?!§|Art(?:ikel|\.)|(?<!nderungs)(?:gesetz|ordnung|buch))[^()\n;:]){0,120}\Z"
)
# "… - IFG NRW -; im Folgenden: IFG": the same abbreviation without the Land.
_SHORTENED = re.compile(
    rf"(?<!\w)(?P<name>[A-ZÄÖÜ]\w{{1,12}})(?P<behind>{of_land.BEHIND.pattern})[\s.,;()-]{{1,6}}"
    r"(?:im\sFolgenden|nachfolgend|künftig)(?:\s(?:kurz|nur))?:?\s[„\"]?(?P=name)(?!\w)"
)
_REACH = 260  # characters of a title with its day before the name in brackets


@dataclass(frozen=True, slots=True)
class _Definition:
    """From ``start`` on the name is that of a law of a Land, or again of the federal one.

    ``whose`` is the name with the Land, "IFG Berlin"; ``None`` for the federal one.
    """

    start: int
    name: str
    whose: str | None


class _Definitions:
    """All of a text. A name may be given again and again, so each is found without the others."""

    def __init__(self, text: str) -> None:
        self._of: dict[str, list[_Definition]] = {}
        for one in _iter_definitions(text):
            self._of.setdefault(one.name, []).append(one)
        for of_name in self._of.values():
            of_name.sort(key=lambda one: one.start)

    def has_lands(self) -> bool:
        """Whether any name is given to a law of a Land."""
        return any(one.whose is not None for of_name in self._of.values() for one in of_name)

    def find(self, names: Iterable[str], start: int) -> _Definition | None:
        """The last one of these names that stands before ``start``, or there."""
        known = (self._of.get(name, ()) for name in names)
        last = (
            of_name[at - 1]
            for of_name in known
            if (at := bisect_right(of_name, start, key=lambda one: one.start))
        )
        return max(last, key=lambda one: one.start, default=None)


class LandLaws:
    """What one decision calls a law of a Land; ``day`` is its own, in ISO form."""

    def __init__(self, text: str, day: str | None) -> None:
        self._text = text
        self._day = day
        self._definitions = _Definitions(text)
        self._named: dict[str, bool] = {}

    def means_other(self, target: NormCitation, start: int, statute: Statute | None) -> bool:
        """Whether a citation at ``start`` that reads as one of ``statute`` means another law."""
        if statute is None or target.law is None:
            return False
        names = {target.law, *statute.abbreviations_juris}
        defined = self._definitions.find(names, start)
        if defined is not None:
            return defined.whose is not None
        issued = statute.issued_on
        if issued is None or self._day is None or self._day >= issued.isoformat():
            return False
        return self._names_of_land(target.law)

    def _names_of_land(self, law: str) -> bool:
        """Whether a Land stands behind the name anywhere, "IFG NRW"."""
        known = self._named.get(law)
        if known is None:
            pattern = rf"(?<!\w){re.escape(law)}(?:{of_land.SHORT}(?!\w)|{of_land.BEHIND.pattern})"
            known = self._named[law] = re.search(pattern, self._text) is not None
        return known


def give_to_lands(text: str, found: list[FoundCitation]) -> list[FoundCitation]:
    """Citations of a text with the names that it gives to laws of a Land: "IFG" as "IFG Berlin"."""
    definitions = _Definitions(text)
    if not definitions.has_lands():
        return found
    return [
        each
        if of_land.OF_BUND.match(text, each.end)
        else replace(
            each, targets=tuple(_give(one, each.start, definitions) for one in each.targets)
        )
        for each in found
    ]


def _give(target: Target, start: int, definitions: _Definitions) -> Target:
    if not isinstance(target, NormCitation) or target.law is None:
        return target
    defined = definitions.find((target.law,), start)
    if defined is None or defined.whose is None or target.law in read_words("of_bund"):
        return target
    return replace(target, law=defined.whose)


def _iter_definitions(text: str) -> Iterator[_Definition]:
    if _ANY_LAND.search(text) is None:
        return
    yield from _iter_titled(text)
    for one in _SHORTENED.finditer(text):
        yield _Definition(one.start(), one["name"], one["name"] + one["behind"])


def _iter_titled(text: str) -> Iterator[_Definition]:
    for match in _INTRODUCED.finditer(text):
        low = max(0, match.start() - _REACH)
        if all(text.find(word, low, match.start()) < 0 for word in ("gesetz", "ordnung")):
            continue
        titled = _TITLED.search(text, low, match.start())
        if titled is not None:
            yield _Definition(titled.start(), match["name"], _name(match["name"], titled))


def _name(name: str, titled: re.Match[str]) -> str | None:
    if titled["federal"] is not None:
        return None
    return f"{name} {titled['behind']}" if titled["behind"] else f"{titled['before']} {name}"
