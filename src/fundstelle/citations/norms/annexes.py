"""Annexes without a number: ``(Anlage)``, "die in der Anlage genannten"."""

import re

from fundstelle.citations.drafts import Draft

_OF_THIS = re.compile(
    r"\s(?:zu\s)?diese[rsm]\s(?:Gesetze?s?|Verordnung|Anordnung|Bekanntmachung|Satzung"
    r"|(?:Staats)?[Vv]ertrage?s?)(?![\w-])"
)
_BEFORE = re.compile(
    r"(?:(?P<of>Muster der)"
    r"|(?P<alone>(?<!\w)(?:[Ii]n|[Nn]ach|[Gg]emäß|[Aa]us|Vorgaben|Anforderungen) der)"
    r"|(?P<listed>n der)"
    r"|(?P<bare>(?<!\w)(?:in|nach|gemäß))"
    r"|(?P<added>(?<!\w)als)|(?P<other>(?<!\w)(?:im|dem|des|zum)))\s$"
)
_LONGEST_BEFORE = len(" Anforderungen der ")
_LISTED = re.compile(
    r"(?:\s\([^()\n]{1,60}\))?\s(?:(?:im\s[Ee]inzelnen|näher|jeweils|abschließend)\s)?"
    r"(?:enthalten|aufgeführt|aufgelistet|aufgezählt|genannt|bezeichnet|abgedruckt|beigefügt"
    r"|wiedergegeben|dargestellt|beschrieben|festgelegt|festgesetzt|angegeben|ausgewiesen"
    r"|ersichtlich|veröffentlicht|bekannt\s?gemacht)(?:e[nrsm]?)?(?!\w)"
)
_ADDED = re.compile(
    r"\s(?:beigefügt|beigegeben|angefügt|abgedruckt|veröffentlicht|Bestandteil)(?:e[nrsm]?)?(?!\w)"
)
# "aus der Anlage von Vermögen", "aus der Anlage zu streichen": no annex, or of something else
_GOES_ON = re.compile(r"\s*\(?\s*(?:zu[mr]?|de[rs]|diese[rs]|eine[rs]|von|vom)(?!\w)")
_RUNS = re.compile(  # "in der Anlage erzeugter Strom"
    r"\s(?:(?!ergeb|entspr)[a-zäöü]+end(?:e[nrsm]?)?(?!\w)"
    r"|(?:erzeugt|betrieben|hergestellt|eingesetzt|verwendet|gelagert|behandelt|verbrannt))"
)
# In a text that says so a plant is meant as often as an annex.
_PLANT = re.compile(
    r"(?<!\w)(?:[Ee]ine[rs]?|[Jj]ede[rn]?|[Dd]ie|(?:[Bb]estehend|[Nn]eu|ortsfest|baulich|[a-zäöü]+isch"
    r"|[a-zäöü]+bedürftig)e[rn]?|(?:Betreib|Betrieb|Errichtung)\w*\s(?:der|von))\sAnlage(?!\w)"
    r"|-Anlage(?!\w)|(?<!\w)(?<!den )(?<!sind )(?<!als )Anlagen(?!\w|\s*(?:\d|[A-Z]\b|[IVX]+\b))"
)


class OwnAnnexes:
    """Finds where the one annex of a text's own statute is meant: "die in der Anlage genannten"."""

    __slots__ = ("_has_plants", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._has_plants: bool | None = None

    def find_end(self, start: int, draft: Draft, *, levels: bool) -> int | None:
        """Where the words end that mean it; ``None`` if none do.

        ``levels``: parts of it are named in front ("Spalte 4 der Anlage").
        """
        text = self._text
        if draft.number:
            return None
        named = _OF_THIS.match(text, draft.end)
        if named is not None:
            return named.end()
        if levels:
            return None if _GOES_ON.match(text, draft.end) else draft.end
        return draft.end if self._is_own(start, draft) else None

    def _is_own(self, start: int, draft: Draft) -> bool:
        text, end = self._text, draft.end
        if text[start - 1 : start] == "(" and text.startswith(")", end):
            return True
        before = _BEFORE.search(text, max(0, start - _LONGEST_BEFORE), start)
        if before is None:
            return False
        if before["added"]:
            return _ADDED.match(text, end) is not None
        if (before["alone"] or before["listed"]) and _LISTED.match(text, end):
            return True
        return _GOES_ON.match(text, end) is None and self._is_alone(start, draft, before)

    def _is_alone(self, start: int, draft: Draft, before: re.Match[str]) -> bool:
        """Whether it is an annex though nothing behind it says so."""
        if before["of"] or (draft.path and not before["listed"]):
            return True
        if before["other"]:  # a plant is no Anhang
            return self._text.startswith("nhang", start + 1)
        runs = _RUNS.match(self._text, draft.end) is not None
        return bool(before["alone"]) and not runs and not self._speaks_of_plants()

    def _speaks_of_plants(self) -> bool:
        if self._has_plants is None:
            self._has_plants = _PLANT.search(self._text) is not None
        return self._has_plants
