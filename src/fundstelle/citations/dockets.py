"""Aktenzeichen: their shape tells the court where the Registerzeichen belongs to one court only."""

import re
from functools import cache
from typing import NamedTuple

from fundstelle.citations.numerals import read_roman
from fundstelle.citations.tables import read_table

# The running number and the year; what stands before them is read backwards from here. In Bavaria
# the year stands first: 13.30154.
CORE = re.compile(
    r"(?<![\w/.])(?<!\d,)(\d{1,6}(?:-\d{1,6}|\s?[a-fö](?=/))?)(\s?/\s?(?=\d\d)|[/.])(\d{4,5}|\d{1,3})(?![\d/]|\.\d)"
)
_BEFORE = 40
_CHAMBER = (
    r"(?:(?P<senate>[IVX]{1,5}[a-z]?(?=[\s.-]|ZR|ZB)|\d{1,3}[a-z]?(?:/\d{1,2}[a-z]?)?)\.?[\s-]?)"
)
_SOCIAL_AREAS = (
    "AL|AR|AS|AY|BA|BK|BL|EG|EL|ER|KA|KG|KL|KR|KS|KN|LW|P|R|RE|RA|RF|RI|RJ|RS|SB|SF|SO|SV|U|UF|ÜG|VE|VG"
    "|VH|VI|VJ|VK|VS|VU|V|GS|YS"
)
_SIGNS = (
    # civil and family matters, enforcement, insolvency, company law
    "U|W|UF|WF|UFH|O|S|T|HK[ -]?O|KfH[ ]O|OH|FH|HKT|OK|C|F|M|K|L|N|H|IN|IE|IK|AktE|AktG|Sch|SchH"
    "|Verg|Kart|VKl|MK|Kap|UKl|EK|Wx|WLw|Lw|Rev|REV|Sa?H|XVII|XIV|VI|AR|VA|VAs|Not|EnWG|WG|REMiet|SV"
    # criminal matters and fines
    "|Ws|Ss|Rb|RBs|RVs|RR|SsBs|SsRs|SsOWi|ObOWi|StRR|StObWs|ORs|ORbs|OAus|Ausl|AuslA|OLG|Ds|Ls|Cs|OWi|OWiG"
    "|KLs|Kls|Ks|Js|UJs|BJs|StE|Ns|NBs|Qs|Gs|StVK|BRs|HEs|Reh|VRs|AuslS|StVollz|Vollz"
    # labour
    "|Sa|Ta|TaBV|SaGa|TaBVGa|TaBVHa|SHa|SLa|SL|Ca|BV|Ga|BVGa|Ha|Oa|GLa"
    # administration
    "|AK|CB|NB|WA|A|B|D|E|R|P|V|ZB|NE|NC|CE|CS|BE|AE|AS|CN|BN|AV|VR|VE|LA|LB|LC|LD|LP|LZ|ME|MN|MB|MR|OA|OB|Bf|Bs|So|KN"
    "|KM|KO|KS|EN|EO|SN|BS|PKH|DB|DK|UE|UZ|ZU|TG|TP|TH|TE|NG|ZKO|VO|SO|PV|FPV|FL|PL|PB|Nc"
    # finance
    "|Ko|KO|S|EW"
    # constitutional and professional courts
    "|VB|GR|AGH|AnwG|DGH|DG|RDG|EV|QK|VerfGH"
    # social courts until 1999
    "|BK|BA|BJ|RA|RR|RS"
)
_SECOND = "Js|UJs|Ss|SsRs|SsBs|SsOWi|Ws|Ds|Ls|Cs|OWi|AR|Qs|Reh|RVs|RBs|Gs|VRs"
_SIGN = (
    rf"(?:{_SIGNS})(?:[ -]OWi"
    r"|\s?\((?:B|L|R|S|Vs|Vollz|OWi|Kost|Kart|Baul|Reh|Enteignung|Lw|RB|BSch)\)"
    rf"|\s\d{{1,4}}[a-z]?\s(?:{_SECOND})(?:[ -]OWi)?)?"
)
_SUFFIX_SOCIAL = re.compile(
    r"\s(?:(?:NZB|B)(?:\s(?:ER|PKH|RG|KL|D|VR))*|ER(?:\s(?:B|RG|PKH|KO))?|KL(?:\sER)?|BH|RH|R|S|C|D|P|E|L|F|K"
    r"|PKH|WA|ZVW|ZV|RG|NZB|[rb](?=\s*(?:$|[,;)])))(?![\w/])"
)
_SUFFIX_COURT = re.compile(
    r"(?:\.[A-Z]{1,3}(?:-\d)?)+(?!\w)|\s\((?:PKH|EP|EU|AdV|A|B|C|D|F|V|R|Kart|Baul|Wx|Kg|Kfz|Lw|EnWG|Verg"
    r"|WEG|KfH|BSch|Hs|Landw|Vollz|Strafvollz|SdB|\d{1,3}/\d\d)\)|\sjug\.?(?!\w)"
    r"|\s(?:SN|HGW|HRO|We|Me|Ge|HAL|MD)(?=\s*(?:[-,;.()]|$))"
)
_SUFFIX_FEDERAL = re.compile(r"\s\((?:PKH|EP|EU|AdV|[A-F]|V)\)")
_SUFFIX_BRANCH = re.compile(r"\s\(\d{2,3}\)|-\d\d(?!\d)")
_SUFFIX_DISCIPLINE = re.compile(r"\sD(?=\s*(?:[-,;.()\[\]]|$))")
_SUFFIX_TAX = re.compile(
    r"\s(?:[A-Z]|AO|Kg|EW|Kfz|GE|Erb|BB|Ki|AdV|AE|AK|Z|H)(?:\s?,\s?(?:[A-Z]|AO|Kg|EW|GE|Erb)(?!\w))*"
    r"(?:\s?\([A-Z]{1,2}(?:,[A-Z])*\))?(?=\s*(?:[,;.()=-]|$|juris|EFG))"
)
_SUFFIX_EU = re.compile(
    r"\s?-?\s?(?:PPU|RENV|RX(?:-II)?|DEP|REC|SA|AJ|OP|P(?:[- ]?\(?R\)?|-DEP)?|R(?!\w))(?![\w/.])"
)


class Docket(NamedTuple):
    """An Aktenzeichen in its official spelling and the court it fixes, if any."""

    text: str
    start: int
    end: int
    court: str | None
    kind: str = ""  # "eu", "social", "dotted", "plain", "named" or ""
    others: tuple[str, ...] = ()  # numbers before this one that share its register and year


def read_docket(text: str, core: re.Match[str], floor: int) -> Docket | None:
    """The Aktenzeichen whose number and year are ``core``; ``None`` if nothing before fits."""
    before = text[max(floor, core.start() - _BEFORE) : core.start()]
    for read in (_read_eu, _read_social, _read_fixed, _read_common):
        docket = read(text, before, core)
        if docket is not None:
            return docket
    return None


_YEARS = frozenset({len("22"), len("2022")})


def shorten_year(year: str) -> str:
    """Dockets carry two digits: ``175/2022`` is ``175/22``."""
    return year[2:] if len(year) == len("2022") and year[:2] in {"19", "20"} else year


_EU = re.compile(
    r"(?<![\w-])(?:(?P<court>[CTF])\s?-\s?|(?<!\d\s)(?P<spaced>[CTF])\s?)$", re.IGNORECASE
)
_SOCIAL = re.compile(
    r"(?<!\w)(?P<court>B|L|S)\s?(?P<senate>\d{1,3}[a-z]?(?:/\d{1,2}\s?[a-z]?)?)"
    rf"\s(?P<area>{_SOCIAL_AREAS})\s$",
    re.IGNORECASE,
)


def _read_eu(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _EU.search(before)
    if match is None or core[2].strip() != "/" or len(core[3]) not in _YEARS:
        return None
    suffix = _SUFFIX_EU.match(text, core.end())
    letter = (match["court"] or match["spaced"]).upper()
    number = f"{letter}-{core[1]}/{shorten_year(core[3])}"
    end = core.end()
    if suffix is not None:
        number, end = f"{number} {suffix[0].strip(' -')}", suffix.end()
    court = {"C": "EuGH", "T": "EuG", "F": "EuGöD"}[letter]
    start = core.start() - len(before) + match.start()
    return Docket(number, start, end, court, "eu")


def _read_social(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _SOCIAL.search(before)
    if match is None or core[2].strip() != "/" or len(core[3]) not in _YEARS:
        return None
    suffix = _SUFFIX_SOCIAL.match(text, core.end())
    letter = match["court"].upper()
    number = f"{letter} {match['senate']} {match['area'].upper()} {core[1]}/{shorten_year(core[3])}"
    end = core.end()
    if suffix is not None:
        number, end = number + suffix[0].upper(), suffix.end()
    elif letter == "B" and len(match["area"]) == 1:
        return None
    start = core.start() - len(before) + match.start()
    return Docket(number, start, end, "BSG" if letter == "B" else None, "social")


def _read_fixed(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _fixed().search(before)
    if match is None:
        return None
    sign, court, senates = _map_registers()[_fold(match["sign"])]
    senate = match["senate"] if senates != "none" else None
    if senates == "none" and match["senate"] and court == "BGH":
        return None  # 1 AK 4/16 is no case of the BGH
    if not _fits(senate, senates) or len(core[3]) not in _YEARS:
        return None
    separator = "." if court == "BVerwG" else "/"
    if core[2] == "." and court != "BVerwG":
        return None
    number = f"{core[1]}{separator}{shorten_year(core[3])}"
    front = f"{_spell_senate(senate, senates)} " if senate else ""
    found = _SUFFIX_DISCIPLINE if court == "BVerwG" else _SUFFIX_FEDERAL
    suffix = found.match(text, core.end())
    end = suffix.end() if suffix else core.end()
    written = f"{front}{sign} {number}{suffix[0] if suffix else ''}"
    start = core.start() - len(before) + (match.start("senate") if senate else match.start("sign"))
    return Docket(written, start, end, court)


def _spell_senate(senate: str, senates: str) -> str:
    """Roman senates in capitals, their letter small: ``VIa``."""
    if senates != "roman":
        return senate
    return re.sub(r"[^IVX]", lambda letter: letter[0].lower(), senate.upper())


_FRONT = r"(?:(?:[A-Z]|AN|Au|RN|RO|DL|PL|DB|PB|NC|\([\dIVX]+\))\s)"
_COMMON = (
    rf"(?<![\w./])(?<![\w)]-)(?<!\d,)(?P<front>{_FRONT})?"
    r"(?:(?P<senate>[IVX]{1,5}[a-z]?(?=[\s.])|(?:[IVX]{1,4}-)?\d{1,3}[a-z]?(?:[/-]\d{1,2}[a-z]?)?)\.?\s?"
    r"|(?P<class>[IVX]{1,4}-(?=Kart|Verg|VA)|(?=(?:Verg|Kart|Ws|RDG|Ss)\s)))"
    rf"(?P<sign>{_SIGN})\s*$"
)
_STRICT = re.compile(_COMMON)
_LOOSE = re.compile(_COMMON, re.IGNORECASE)
_TAX_SIGNS = frozenset({"K", "V", "KO", "Ko", "S"})
_BVERWG_SIGNS = frozenset(
    {
        "C",
        "B",
        "A",
        "P",
        "AV",
        "VR",
        "PKH",
        "KSt",
        "D",
        "F",
        "PB",
        "CN",
        "BN",
        "CB",
        "NB",
        "WA",
        "ER",
    }
)


def _read_common(text: str, before: str, core: re.Match[str]) -> Docket | None:
    """Signs that many courts share; the shape tells the BFH and the BVerwG."""
    match = _STRICT.search(before)
    if match is None and text == text.lower():
        match = _LOOSE.search(before)
    if match is None:
        return None
    senate, sign = match["senate"] or "", _spell_sign(match["sign"])
    roman = senate[:1].upper() in {"I", "V", "X"} and "-" not in senate
    if roman and (sign not in _BFH_SIGNS or read_roman(senate.rstrip("abc").upper()) is None):
        return None
    dotted = core[2] == "."
    if not dotted and len(core[3]) not in _YEARS:
        return None
    if len(core[3]) == 1 and not match["front"]:
        return None
    kind = "dotted" if dotted and len(core[3]) == len("15") else "plain"
    court = "BFH" if roman and not dotted else None
    if kind == "dotted" and sign in _BVERWG_SIGNS and not match["front"]:
        court = "BVerwG"
    number = f"{core[1]}{core[2].strip()}{core[3] if dotted else shorten_year(core[3])}"
    suffix = _find_suffix(text, core.end(), sign, court)
    end = suffix.end() if suffix else core.end()
    front = (match["front"] or "").upper() if match.re is _LOOSE else match["front"] or ""
    head = f"{senate.upper() if roman else senate} " if senate else match["class"]
    written = f"{front}{head}{sign} {number}{suffix[0] if suffix else ''}"
    return Docket(written, core.start() - len(before) + match.start(), end, court, kind)


_BFH_SIGNS = frozenset({"R", "B", "S", "K", "E", "C"})


def _find_suffix(text: str, end: int, sign: str, court: str | None) -> re.Match[str] | None:
    if court == "BVerwG":
        return _SUFFIX_DISCIPLINE.match(text, end)
    if court == "BFH":
        return _SUFFIX_FEDERAL.match(text, end)
    found = _SUFFIX_COURT.match(text, end)
    if found is None and sign in {"C", "S", "O", "F"}:
        found = _SUFFIX_BRANCH.match(text, end)
    if found is None and sign in _TAX_SIGNS:
        found = _SUFFIX_TAX.match(text, end)
    return found


def _spell_sign(written: str) -> str:
    """The Registerzeichen in its official letters, in whatever letters it was typed."""
    if not written.isalpha() or written in _SIGNS.split("|"):
        return written
    return _map_signs().get(_fold(written), written)


@cache
def _map_signs() -> dict[str, str]:
    signs: dict[str, str] = {}
    for sign in _SIGNS.split("|"):
        if sign.isalpha():
            signs.setdefault(sign.casefold(), sign)
    return signs | {"hko": "HK O", "kls": "KLs", "s": "S", "ko": "KO"}


def split_glued(letters: str) -> str:
    """A Registerzeichen out of an ECLI, where brackets and hyphens are lost: ``ANWZBRFG``."""
    folded = letters.casefold()
    return _map_glued().get(folded) or _map_signs().get(folded, letters)


def is_roman_sign(letters: str) -> bool:
    """Whether senates with Roman numbers bear this Registerzeichen."""
    written = _map_glued().get(letters.casefold())
    if written is None:
        return letters.upper() in _BFH_SIGNS
    return _map_registers()[_fold(written)][2] == "roman"


@cache
def _map_glued() -> dict[str, str]:
    return {re.sub(r"[\W_]", "", row[0]).casefold(): row[0] for row in read_table("registers")}


def _fits(senate: str | None, senates: str) -> bool:
    if senates == "none":
        return True
    if not senate:
        return False
    if senates == "roman":
        return read_roman(senate.rstrip("abcdeABCDE").upper()) is not None
    return senate[0].isdigit()


def _fold(sign: str) -> str:
    return re.sub(r"[\s-]", "", sign).casefold()


@cache
def _map_registers() -> dict[str, tuple[str, str, str]]:
    return {_fold(row[0]): (row[0], row[1], row[2]) for row in read_table("registers")}


@cache
def _fixed() -> re.Pattern[str]:
    signs = sorted((row[0] for row in read_table("registers")), key=len, reverse=True)
    pattern = "|".join(
        re.escape(sign).replace(r"\ ", r"\s?").replace(r"\-", r"[\s-]") for sign in signs
    )
    return re.compile(rf"(?<!\w){_CHAMBER}?(?P<sign>{pattern})\s?$", re.IGNORECASE)
