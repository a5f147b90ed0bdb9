"""Which names of laws mean another law than before, and which texts may be read by one of them.

All texts of a build are searched, so that letters alone are compared, a byte each: what may stand
between the letters of a name, dashes and blanks of all kinds, is none of them.

Pure.
"""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.text.clean import clean
from fundstelle.citations.text.folding import restore_letters

_BETWEEN = "\0"
_LETTERS = bytes(code for code in range(256) if chr(code).isalpha() and code != ord("µ"))
_NO_LETTERS = bytes(code for code in range(1, 256) if code not in _LETTERS)
_FOLDED = bytes(
    ord(folded) if len(folded := chr(code).casefold()) == 1 and ord(folded) < 256 else code
    for code in range(256)
)
_ERRORS = "fundstelle.letters"


@dataclass(frozen=True, slots=True)
class ChangedNames:
    """Names that do not mean in one registry what they mean in another.

    Attributes:
        names: abbreviations, folded, and the stems of titles, divided by blanks.
    """

    names: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.names)

    def find_in(self, texts: Sequence[str]) -> set[int]:
        """Places of the texts whose reading may come to one of the names; no other does.

        A name is found by its own letters in their order, a title by the beginnings of all of its
        words. Some of these texts hold them only by chance.
        """
        joined = _BETWEEN.join(texts)
        if not self or joined.count(_BETWEEN) >= len(texts):
            # what stands between them may stand in them
            return set(range(len(texts))) if self and texts else set()
        letters = _spell(_BETWEEN.join(_iter_plain(texts, joined)))
        each = letters.split(b"\0")
        found = set[int]()
        if "http" in joined and "%" in joined:  # letters of an address may be written by numbers
            found |= {at for at, text in enumerate(texts) if "http" in text and "%" in text}
        for name in self.names:
            parts = sorted(map(_spell, name.split(" ")), key=len, reverse=True)
            if all(part in letters for part in parts):  # which is seldom
                found |= {at for at, text in enumerate(each) if all(part in text for part in parts)}
        return found


def find_changed(before: LawNames, after: LawNames) -> ChangedNames:
    """The names whose laws are not the same, and those that only one of the two knows."""
    changed = map(_compare, before.list_tables(), after.list_tables())
    return ChangedNames(frozenset().union(*changed))


def _compare(
    one: Mapping[str, tuple[LawName, ...]], other: Mapping[str, tuple[LawName, ...]]
) -> frozenset[str]:
    return frozenset(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def _iter_plain(texts: Sequence[str], joined: str) -> Iterator[str]:
    """The texts, as the grammar reads them where more than letters would be left of marks."""
    marks = [mark for mark in "&<" if mark in joined]
    for text in texts:
        yield clean(text).text if any(mark in text for mark in marks) else text


def _spell(text: str) -> bytes:
    """Its letters, folded, those of Latin 1 as bytes; the others are left out of texts and names.

    Digits are left out, too, as there are many ways to write them.
    """
    letters = text.replace("ß", "ss").encode("latin-1", _ERRORS).translate(_FOLDED, _NO_LETTERS)
    return restore_letters(letters.decode("latin-1")).encode("latin-1")


def _fold_others(error: UnicodeError) -> tuple[bytes, int]:
    """What letters beyond Latin 1 are folded to: "ﬁ" is fi."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    folded = error.object[error.start : error.end].casefold()
    return folded.encode("latin-1", "ignore"), error.end


codecs.register_error(_ERRORS, _fold_others)
