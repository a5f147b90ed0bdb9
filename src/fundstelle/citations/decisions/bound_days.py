"""Whether a day that stands before an Aktenzeichen is the day of that decision.

``Urteil vom 3. Mai 2022 in der Rechtssache C-1/20`` binds it, ``Mit Schriftsatz vom 3. Mai 2022
erhob sie Klage (2 K 7/22)`` does not: nothing but what belongs to one citation may stand between,
and the day is of no paper that somebody else wrote.
"""

import re

from fundstelle.citations.text.tables import read_words

_REACH = 40  # characters before the day
_WORD = re.compile(r"(?<![^\W\d_])[A-ZÄÖÜ]?[a-zäöüß]{2,}(?![^\W\d_])")
# "vom 1. Mai 2010, Schweden u. a./Kommission, C-1/08": the parties, set off on both sides.
_PARTIES = re.compile(r"\s?[\],]{1,2}\s[^,;()]{2,70}(?:\([^()]{2,20}\))?\s?(?:,|\()[\s\[(-]*")
_BRACKET = re.compile(r"\([^()]{2,30}\)")  # "(zur Rasterfahndung)", "(Streitjahr 1958)"
_STOP = re.compile(r"\s*\.\s")
_OF_NO_DECISION = re.compile(
    r"(?<!\w)(?:(?:[AaZz]m|[Ss]eit(?:\sdem)?|[Aa]b(?:\sdem)?|(?:[Bb]is\s)?zum|[Bb]is)"
    r"|(?:\w+-?)?(?:[Kk]lage|[Ss]chriftsatz(?:es)?|[Ss]chriftsätzen?|[Ss]chreibens?|[Aa]ntrag(?:e?s)?"
    r"|(?<!richts)(?<!Gerichts)[Bb]escheid(?:e?s|en?)?|[Ww]iderspruch(?:e?s)?"
    r"|[Vv]ertrag(?:e?s)?|[Rr]echnung|[Ss]atzung|[Vv]erhandlung|[Pp]rotokolls?|[Vv]ermerks?"
    r"|[Mm]ail|[Mm]itteilung|[Ee]ingabe|[Aa]nzeige|[Ss]tellungnahme)\s(?:vom|v\.))\s*$"
)
_PROCLAIMED = re.compile(r"(?:[Vv]erkündet|[Dd]as|[Dd]er|[Dd]ie|[Dd]en)\s+am:?\s*$")


def is_bound(text: str, day: tuple[int, int], number: int, court: tuple[int, int] | None) -> bool:
    """Whether the day at ``day`` is that of the Aktenzeichen which begins at ``number``.

    ``court`` is where the court is named that stands nearest before the number.
    """
    between = text[day[1] : number]
    if court is not None and court[0] >= day[1]:
        between = f"{text[day[1] : court[0]]} {text[court[1] : number]}"
    if _STOP.match(between):
        return False
    before = text[max(0, day[0] - _REACH) : day[0]]
    words = [word.casefold() for word in _WORD.findall(_BRACKET.sub(" ", between))]
    proclaimed = _PROCLAIMED.search(before) and (not words or words[0].startswith("verkünd"))
    if _OF_NO_DECISION.search(before) and not proclaimed:
        return False
    return (
        all(word in read_words("before_docket") for word in words)
        or _PARTIES.fullmatch(between) is not None
    )
