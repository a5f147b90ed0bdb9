"""The words for the levels below the section, and the order they usually stand in."""

from functools import cache

from fundstelle.law.norms import Level

_WORDS: dict[Level, str] = {
    Level.ABSATZ: "Absatz Absätze Absätzen Absatzes Abs Asb Absat paragraph paragraphs paras para"
    " subsection subsections subsec",
    Level.UNTERABSATZ: "Unterabsatz Unterabsätze Unterabsätzen Unterabs UnterAbs UAbs UA"
    " subparagraph subpara",
    Level.SATZ: "Satz Satzes Sätze Sätzen sentences sentence sent S SS",
    Level.HALBSATZ: "Halbsatz Halbsatzes Halbsätze Halbs HalbS Hs Hlbs Teilsatz Teils",
    Level.NUMMER: "Nummer Nummern Nrn Nr Nos No Ziffer Ziffern Ziff Zif number numbers",
    Level.BUCHSTABE: "Buchstabe Buchstaben Buchstabens Buchst Buchs Bst litera lit point points"
    " letter letters",
    Level.DOPPELBUCHSTABE: "Doppelbuchstabe Doppelbuchstaben Doppelbuchst Doppelb DBuchst DBst",
    Level.DREIFACHBUCHSTABE: "Dreifachbuchstabe Dreifachbuchstaben Dreifachbuchst TBuchst",
    Level.ALTERNATIVE: "Alternative Alternativen Altern Alt",
    Level.VARIANTE: "Variante Varianten Var",
    Level.FALL: "Fall Fälle Falles",
    Level.SPIEGELSTRICH: "Spiegelstrich Spiegelstriche Spstr Gedankenstrich Strich Anstrich"
    " Tiret indent",
    Level.TEIL: "Teil",
    Level.ABSCHNITT: "Abschnitt Abschn",
    Level.KAPITEL: "Kapitel Kap",
    Level.SPALTE: "Spalte Sp",
    Level.KATEGORIE: "Kategorie",
}
LEVEL_OF: dict[str, str] = {
    word.casefold(): str(level) for level, words in _WORDS.items() for word in words.split()
}
_PLURALS = (
    "absätze absätzen paragraphs paras unterabsätze unterabsätzen sentences sätze sätzen halbsätze"
    " halbsätzen nummern nrn ziffern numbers nos buchstaben letters alternativen varianten fälle"
    " spiegelstriche"
)
PLURALS = frozenset(_PLURALS.split())
"""Words that count several of their level: ``Absätze 1 und 7``."""
ANNEX_LEVELS = frozenset(
    map(str, (Level.TEIL, Level.ABSCHNITT, Level.KAPITEL, Level.SPALTE, Level.KATEGORIE))
)
# "2. Alt.", "letzter Halbsatz": levels that may stand after their value
ORDINAL_LEVELS = frozenset(
    map(
        str,
        (
            Level.UNTERABSATZ,
            Level.SATZ,
            Level.HALBSATZ,
            Level.ALTERNATIVE,
            Level.VARIANTE,
            Level.FALL,
            Level.SPIEGELSTRICH,
            Level.ABSATZ,
        ),
    )
)
LETTER_LEVELS = frozenset(
    map(str, (Level.BUCHSTABE, Level.DOPPELBUCHSTABE, Level.DREIFACHBUCHSTABE))
)
# Only used where a list joins a new level to an old one that it does not repeat.
RANK: dict[str, int] = {
    level: rank
    for rank, group in enumerate(
        (
            ("§",),
            ("teil",),
            ("kapitel",),
            ("abschnitt",),
            ("kategorie", "spalte"),
            ("abs",),
            ("uabs",),
            ("satz",),
            ("hs",),
            ("nr",),
            ("buchst",),
            ("dbuchst",),
            ("tbuchst",),
            ("spiegelstrich",),
            ("alt", "var", "fall"),
        )
    )
    for level in group
}

_OFTEN_MISSPELT = (
    Level.ABSATZ,
    Level.SATZ,
    Level.HALBSATZ,
    Level.NUMMER,
    Level.BUCHSTABE,
    Level.ALTERNATIVE,
)


@cache
def list_misspelt() -> dict[str, str]:
    """Levels by their chief word with one letter left out, doubled or swapped with the next."""
    found: dict[str, str] = {}
    for level in _OFTEN_MISSPELT:
        word = _WORDS[level].split()[0].casefold()
        for place in range(1, len(word)):
            head, here, rest = word[:place], word[place], word[place + 1 :]
            for wrong in (
                head + rest,
                f"{head}{here}{here}{rest}",
                f"{head}{rest[:1]}{here}{rest[1:]}",
            ):
                found.setdefault(wrong, str(level))
    return {wrong: level for wrong, level in found.items() if wrong not in LEVEL_OF}


def build_word_pattern(levels: frozenset[str] | None = None) -> str:
    """A regular expression for the words of ``levels`` (all if ``None``), longest first."""
    words = [word for word, level in LEVEL_OF.items() if levels is None or level in levels]
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))
