"""Registerzeichen that many courts share, and what may follow the year of an Aktenzeichen."""

import re
from functools import cache

from fundstelle.citations.text.tables import read_table

SOCIAL_AREAS = (
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
SIGN = (
    rf"(?:{_SIGNS})(?:[ -]OWi"
    r"|\s?\((?:B|L|R|S|Vs|Vollz|OWi|Kost|Kart|Baul|Reh|Enteignung|Lw|RB|BSch)\)"
    rf"|\s\d{{1,4}}[a-z]?\s(?:{_SECOND})(?:[ -]OWi)?)?"
)
SUFFIX_SOCIAL = re.compile(
    r"\s(?:(?:NZB|B)(?:\s(?:ER|PKH|RG|KL|D|VR))*|ER(?:\s(?:B|RG|PKH|KO))?|KL(?:\sER)?|BH|RH|R|S|C|D|P|E|L|F|K"
    r"|PKH|WA|ZVW|ZV|RG|NZB|[rb](?=\s*(?:$|[,;)])))(?![\w/])"
)
_SUFFIX_COURT = re.compile(
    r"(?:\.[A-Z]{1,3}(?:-\d)?)+(?!\w)|\s\((?:PKH|EP|EU|AdV|A|B|C|D|F|V|R|Kart|Baul|Wx|Kg|Kfz|Lw|EnWG|Verg"
    r"|WEG|KfH|BSch|Hs|Landw|Vollz|Strafvollz|SdB|\d{1,3}/\d\d)\)|\sjug\.?(?!\w)"
    r"|\s(?:SN|HGW|HRO|We|Me|Ge|HAL|MD)(?=\s*(?:[-,;.()]|$))"
    # in Bavaria: the panel's matter, and that the file is electronic
    r"|\s(?:(?:Bau|Hei|Rae|Pre|Kap|Vers)(?:\s?e)?|e)(?=\s*(?:[-,;.()]|$))"
)
SUFFIX_FEDERAL = re.compile(r"\s\((?:PKH|EP|EU|AdV|[A-F]|V)\)")
# The parts of one case at an administrative court of Hesse: "7 E 1487/07(3)", "7 L 676/09.F (V)".
_SUFFIX_PART = re.compile(r"(?:\.[A-Z]{1,3})?\s?\((?:[1-9]|V)\)(?!\w)")
_PART_SIGNS = frozenset({"E", "G", "J", "K", "L", "O"})
_SUFFIX_BRANCH = re.compile(r"\s\(\d{2,3}\)|-\d\d(?!\d)")
SUFFIX_DISCIPLINE = re.compile(r"\sD(?=\s*(?:[-,;.()\[\]]|$))")
_SUFFIX_TAX = re.compile(
    r"\s(?:[A-Z]|AO|Kg|EW|Kfz|GE|Erb|BB|Ki|AdV|AE|AK|Z|H)(?:\s?,\s?(?:[A-Z]|AO|Kg|EW|GE|Erb)(?!\w))*"
    r"(?:\s?\([A-Z]{1,2}(?:,[A-Z])*\))?(?=\s*(?:[,;.()=-]|$|juris|EFG))"
)
SUFFIX_EU = re.compile(
    r"\s?-?\s?(?:PPU|RENV|RX(?:-II)?|DEP|REC|SA|AJ|OP|P(?:[- ]?\(?R\)?|-DEP)?|R(?!\w))(?![\w/.])"
)
_DOTTED = re.compile(r"\d{1,3} (?P<sign>[A-Za-z]{2,4}) \d{1,5}\.\d\d")  # as the BVerwG writes
_TAX_SIGNS = frozenset({"K", "V", "KO", "Ko", "S"})
BFH_SIGNS = frozenset({"R", "B", "S", "K", "E", "C"})


def find_suffix(text: str, end: int, sign: str, court: str | None) -> re.Match[str] | None:
    """What belongs to the Aktenzeichen behind its year: ``.NE``, ``(PKH)``, the kind of tax."""
    if court == "BVerwG":
        return SUFFIX_DISCIPLINE.match(text, end)
    if court == "BFH":
        return SUFFIX_FEDERAL.match(text, end)
    found = _SUFFIX_PART.match(text, end) if sign in _PART_SIGNS else None
    found = found or _SUFFIX_COURT.match(text, end)
    if found is None and sign in {"C", "S", "O", "F"}:
        found = _SUFFIX_BRANCH.match(text, end)
    if found is None and sign in _TAX_SIGNS:
        found = _SUFFIX_TAX.match(text, end)
    return found


def spell_sign(written: str) -> str:
    """The Registerzeichen in its official letters, in whatever letters it was typed."""
    if not written.isalpha() or written in _SIGNS.split("|"):
        return written
    return _map_signs().get(fold_sign(written), written)


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
        return letters.upper() in BFH_SIGNS
    return map_registers()[fold_sign(written)][2] == "roman"


@cache
def _map_glued() -> dict[str, str]:
    return {re.sub(r"[\W_]", "", row[0]).casefold(): row[0] for row in read_table("registers")}


def fold_sign(sign: str) -> str:
    """A Registerzeichen without blanks, hyphens and case."""
    return re.sub(r"[\s-]", "", sign).casefold()


@cache
def map_registers() -> dict[str, tuple[str, str, str]]:
    """Sign, court and kind of senate by the folded sign, for signs of one court only."""
    return {fold_sign(row[0]): (row[0], row[1], row[2]) for row in read_table("registers")}


def is_of_one_court(docket: str) -> bool:
    """Whether no more than one court gives such a number, though its form names none by itself.

    ``1 CN 1.18`` by its Registerzeichen, ``Vf. 7-VII-20`` by what stands in front.
    """
    dotted = _DOTTED.fullmatch(docket)
    row = map_registers().get(fold_sign(dotted["sign"])) if dotted else None
    return docket.startswith("Vf.") or (row is not None and row[1] == "BVerwG")
