"""Words that differ between a quote and a text, and whether they turn its meaning."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fundstelle.lookup.comparing.thousands import join_told

KINDS = ("added", "removed", "replaced")

_WORD = re.compile(r"\w+")
_MOST_READ = 4_000  # characters of a side; what is shown is shorter
_NEGATION = re.compile(
    r"nicht|nichts|kein(?:e[mnrs]?|erlei|esfalls|eswegs)?|nie|niemals|niemand(?:e[mns])?|weder"
    r"|ohne|not|no|none|never|neither|nor|without|cannot"
)
_NUMBER = re.compile(
    r"\w*\d\w*|zwei(?:mal|ten?)?|drei(?:mal)?|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
    r"|[a-zäöü]{3,6}zehn|(?:[a-zäöü]{3,8}und)?(?:zwanzig|dreißig|(?:vier|fünf|sech|sieb|acht|neun)zig)"
    r"|hundert|tausend|million(?:en)?|milliarden?|halb(?:e[mnrs]?)?|doppelt(?:e[mnrs]?)?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|half|twice"
)
_MODAL = re.compile(
    r"muss|muß|müssen|musste|mussten|müsste|müssten|kann|können|konnte|konnten|könnte|könnten"
    r"|darf|dürfen|durfte|durften|dürfte|dürften|soll|sollen|sollte|sollten|mag|mögen"
    r"|shall|must|may|might|can|could|should|will|would"
)


_DENYING = ("un", "nicht")
_COMPOUND = re.compile(r"(?<=\w{3})un(?=\w{4})")  # "Stunden" is no "Stden"


@dataclass(frozen=True)
class Difference:
    """Words of the quote against words of the text; one side may be empty.

    ``[...]`` stands for words that were left out of a long side.
    """

    quoted: str
    stored: str

    @property
    def kind(self) -> str:
        """What the quote does with the text; a value of ``KINDS``."""
        if not self.stored:
            return "added"
        return "replaced" if self.quoted else "removed"

    @property
    def negation(self) -> bool:
        """Whether one side denies what the other does not: ``kein``, ``unwirksam``."""
        quoted, stored = self._words
        return _differ(_NEGATION, quoted, stored) or _is_denied(quoted, stored)

    @property
    def number(self) -> bool:
        """Whether the numbers differ."""
        return _differ(_NUMBER, *self._words)

    @property
    def is_grave(self) -> bool:
        """Whether a negation, a number or a modal verb is not the same."""
        return self.negation or self.number or _differ(_MODAL, *self._words)

    @cached_property
    def _words(self) -> tuple[Sequence[str], Sequence[str]]:
        return _read(self.quoted), _read(self.stored)


def put_gravest_first(differences: Iterable[Difference]) -> list[Difference]:
    """Those that change a negation, a number or a modal verb, then the others, as they stand."""
    return sorted(differences, key=lambda each: not each.is_grave)


def _read(side: str) -> Sequence[str]:
    return _WORD.findall(join_told(side[:_MOST_READ].lower()))


def _differ(pattern: re.Pattern[str], quoted: Sequence[str], stored: Sequence[str]) -> bool:
    one, other = (Counter(filter(pattern.fullmatch, words)) for words in (quoted, stored))
    return one != other


def _is_denied(quoted: Sequence[str], stored: Sequence[str]) -> bool:
    """Whether a word of one side is the other's with a syllable that denies it.

    ``unwirksam``, ``rechtsunwirksam``, ``nichtöffentlich``.
    """
    one, other = set(quoted), set(stored)
    fresh, lost = one - other, other - one
    return any(
        affirmed in plain
        for denied, plain in ((fresh, lost), (lost, fresh))
        for word in denied
        for affirmed in _list_affirmed(word)
    )


def _list_affirmed(word: str) -> Iterator[str]:
    """What a word may be without the syllable that denies it."""
    for syllable in _DENYING:
        if word.startswith(syllable):
            yield word.removeprefix(syllable)
    for place in _COMPOUND.finditer(word):
        yield word[: place.start()] + word[place.end() :]
