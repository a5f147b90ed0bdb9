"""How names are folded, so that blanks, hyphens, case and case endings do not matter."""

import re

from fundstelle.memo import remember_short

CHUNK = re.compile(r"[^\W_]+")
# What may stand between the parts of one name: "DS-GVO", "SGB V", "39. BImSchV", "II. BV",
# "FreizügG/EU", "BewG§81DV", "BauVorl-/BauPrüf-/ÜbAO", "BeitrS. RV/BA ÄndG".
JOINT = re.compile(r"\.[ \n\t]{0,2}|§|[ \n\t]{0,3}[-/&]{0,2}[ \n\t]{0,3}")
# Titles name dates, sections and parts: "… vom 1. Juni 1967 über …", "… nach § 10a des …".
LONG_JOINT = re.compile(r"[ \n\t,.:;()/§&+\"„“”»«'’*–-]{1,6}")

_ENDING = re.compile(r"(?:e[nmr]|e|n)$")
_SHORTEST_STEM = 3
_LONGEST_WORD = 80  # no law has a longer one in its name


def fold_abbreviation(name: str) -> str:
    """Letters and digits in lower case, glued: ``DS-GVO`` -> ``dsgvo``."""
    return "".join(CHUNK.findall(name)).casefold()


@remember_short(maxsize=65_536, longest=_LONGEST_WORD)
def stem(word: str) -> str:
    """A word without its case ending: ``Bürgerlichen`` and ``Bürgerliches`` -> ``bürgerlich``.

    Source: the declension of German adjectives and nouns; both sides are cut by the same rule, so
    that a cut too much does no harm.
    """
    folded = restore_letters(word.casefold())
    if folded.endswith("s") and not folded.endswith("ss"):
        folded = folded[:-1]
    cut = _ENDING.sub("", folded)
    return cut if len(cut) >= _SHORTEST_STEM else folded


def restore_letters(folded: str) -> str:
    """With the letters of today where the spelling until 1998 had one less: ``schiffahrt``."""
    return folded.replace("schiffahr", "schifffahr")


def fold_long(name: str) -> str:
    """The stems of the words of a long name, joined by blanks."""
    return " ".join(map(stem, CHUNK.findall(name)))
