"""What the publisher calls a norm (``enbez``, ``gliederungsbez``): kind, number, citation."""

import re
from dataclasses import dataclass

from fundstelle.law.identifiers import to_id
from fundstelle.law.norms import NormKind

_UNCOUNTED = "(XXXX)"  # the publisher's mark for a norm without a designation of its own
_VALUE = r"(?:\d+ ?[a-z]{0,2}(?:\.\d+[a-z]?)*|[IVXLC]+)"
_NUMBERED = re.compile(rf"(?P<sign>§§?|Art(?:ikel|\.)?) ?(?P<first>{_VALUE})(?P<rest>\W.*)?")
_RANGE = re.compile(
    rf"(?P<sign>§§|Art(?:ikeln?|\.)?|Anlagen?|) ?(?P<first>{_VALUE})\.?"
    rf" ?(?:bis|und|u\.|-|–) ?(?:§|Art\.?|Anlage)? ?(?P<last>{_VALUE})\.?"
)
_ANNEX = re.compile(
    r"(?:Anlagen?|Anh[aä]nge?|Muster|Formbl[aä]tt\w*|Beilage|Verzeichnis|Tabelle)\b"
)
_FORMULA = re.compile(r"Eingangs\w*|Präambel|Schlu(?:ss|ß)\w*|Promulgationsklausel|Vorspruch")
_CONTENTS = re.compile(r"Inhalt\w*|Übersicht|Gliederung")
_ANNEX_NAME = re.compile(r"(?P<name>[^(]*?)\s*\(.*\)")
_ARTICLE = re.compile(rf"Art(?:ikel|\.)? (?P<number>{_VALUE})")


@dataclass(frozen=True, slots=True)
class Designation:
    """A norm's own name, before it is known whether an Artikel holds it."""

    kind: NormKind
    number: str  # "823", "43-44", "anlage-1"
    number_end: str | None
    label: str  # as printed, without the publisher's "(XXXX)"
    cited: str  # as cited: "Art. 74"
    is_range: bool = False


def read_designation(enbez: str, title: str) -> Designation:
    """Read an ``enbez``; *title* names a norm that has no designation."""
    label = enbez.replace(_UNCOUNTED, "").replace("XXXX", "").strip()
    if not label:
        return Designation(NormKind.OTHER, "text", None, title or "Text", "Text")
    if match := _RANGE.fullmatch(label):
        return _read_range(label, match)
    if match := _NUMBERED.fullmatch(label):
        return _read_numbered(label, match)
    kind = _read_kind(label)
    named = _ANNEX_NAME.fullmatch(label) if kind is NormKind.ANNEX else None
    name = named["name"] if named and named["name"] else label
    return Designation(kind, to_id(name).strip(".-") or "text", None, label, name)


def _read_numbered(label: str, match: re.Match[str]) -> Designation:
    number = to_id(match["first"].replace(" ", ""))
    rest = match["rest"] or ""
    if suffix := to_id(rest).strip(".-"):
        number += f"-{suffix}"
    if match["sign"].startswith("§"):
        return Designation(NormKind.SECTION, number, None, label, label)
    cited = f"Art. {match['first'].replace(' ', '')}{rest.rstrip()}"
    return Designation(NormKind.ARTICLE, number, None, label, cited)


def _read_range(label: str, match: re.Match[str]) -> Designation:
    first, last = (to_id(match[part].replace(" ", "")) for part in ("first", "last"))
    sign = match["sign"]
    number = f"{first}-{last}"
    if sign == "§§":
        return Designation(NormKind.SECTION, number, last, label, label, is_range=True)
    if sign.startswith("Art"):
        cited = "Art. " + re.sub(r"Art(?:ikeln?|\.)? ?", "", label)
        return Designation(NormKind.ARTICLE, number, last, label, cited, is_range=True)
    if sign:
        return Designation(NormKind.ANNEX, f"anlage-{number}", last, label, label, is_range=True)
    return Designation(NormKind.OTHER, number, last, label, label, is_range=True)


def _read_kind(label: str) -> NormKind:
    for pattern, kind in (
        (_ANNEX, NormKind.ANNEX),
        (_FORMULA, NormKind.FORMULA),
        (_CONTENTS, NormKind.CONTENTS),
    ):
        if pattern.match(label):
            return kind
    return NormKind.OTHER


def read_article(gliederungsbez: str) -> str | None:
    """The number of the Artikel a heading names: ``Art 229`` -> ``229``."""
    match = _ARTICLE.fullmatch(gliederungsbez.strip())
    return match["number"].replace(" ", "") if match else None
