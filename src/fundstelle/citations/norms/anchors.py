"""Where in a text a norm or an EU act may begin; everything else is passed by unread."""

import re
from collections.abc import Iterator
from functools import cache

# Each alternative begins with one plain letter, so that the search skips to it at C speed; what may
# not stand before it is asked only behind further letters.
_ALWAYS = (
    r"§|A(?:[Rr](?<!\wA[Rr])(?:[Tt]|[Ii][KkTt]|rt)|t(?<!\wAt)r?ik"
    r"|n(?<!\wAn)(?:lage|hang|hänge|nex|[lh]\.)|N(?<!\wAN)(?:LAGE|HANG))"
    r"|P(?:ara(?<!\wPara)gra|ARA(?<!\wPARA)GRA|arg(?<!\wParg)ra)"
    r"|S(?:ec(?<!\wSec)(?:tion|t?s?\.|s? \d))"
    r"|R(?:L (?<!\wRL )|EGULA(?<!\wREGULA)TION "
    r"|e(?<!\wRe)(?:cital|gulation )|ichtl(?<!\wRichtl)inie"
    r"|ICHTL(?<!\wRICHTL)INIE |VG(?<!\wRVG)[ -]VV|ahmenb(?<!\wRahmenb)eschl|B (?<!\wRB )\d{4}/)"
    r"|V(?:O (?<!\wVO )|ERORDN(?<!\wVERORDN)UNG |erordn(?<!\wVerordn)ung(?:en)? |V(?<!\wVV)[ -]RVG)"
    r"|B(?:eschl(?<!\wBeschl)uss(?:es)? [\d(])"
    r"|D(?:irect(?<!\wDirect)ive |IRECT(?<!\wDIRECT)IVE |ECISI(?<!\wDECISI)ON "
    r"|ecisi(?<!\wDecisi)on |urchf(?<!\wDurchf)ührungs[vbrV]"
    r"|elegi(?<!\wDelegi)erte|VO (?<!\wDVO )\()"
    r"|E(?:ntsch(?<!\wEntsch)eidung \d|G(?<!\wEG)(?:RL \d|V \d| \d)|U(?<!\wEU)(?:RL \d| \d{4}/)"
    r"|WG(?<!\wEWG)(?:RL|V) \d|rw(?<!\wErw)[äGg.])"
    r"|F(?:ramew(?<!\wFramew)ork |amGKG(?<!\wFamGKG)[ -]KV)"
    r"|G(?:KG(?<!\wGKG)[ -]KV|NotKG(?<!\wGNotKG)[ -]KV)|K(?:V(?<!\wKV)[ -](?:G|Fam))"
    r"|a(?:[Rr](?<!\wa[Rr])(?:[Tt]|[Ii][KkTt]|rt)|t(?<!\wat)r?ik"
    r"|n(?<!\wan)(?:lage|hang|hänge|nex|l\.))"
)
_CELEX = "".join(rf"|{sector}(?:19|20)\d\d[RLDEMPF](?<!\d.{{6}})" for sector in "013")
# What begins with a frequent letter, or is seldom, is looked for where its mark stands anywhere.
_SELDOM = (
    ("CELEX", r"|C(?<!\wC)ELEX"),
    ("paragra", r"|p(?<!\wp)aragra"),
    ("pargra", r"|p(?<!\wp)argra"),
    ("sec", r"|s(?<!\ws)ec(?:tion|t?s?\.|s? \d)"),
    ("recital", r"|r(?<!\wr)ecital"),
    (
        "http",
        r"|h(?<!\wh)ttps?://(?:data\.europa|eur-lex|(?:www\.)?(?:gesetze-im|dejure\.org/ge|buzer\.de/))",
    ),
)


@cache
def _build_anchor(marks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(_ALWAYS + _CELEX + "".join(dict(_SELDOM)[mark] for mark in marks))


def find_anchors(text: str) -> Iterator[re.Match[str]]:
    """Where a norm or an EU act may begin."""
    marks = tuple(mark for mark, _ in _SELDOM if mark in text)
    return _build_anchor(marks).finditer(text)
