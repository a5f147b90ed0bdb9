"""What the XML of federal law says, read by another parser and with a walk of its own.

It knows the documented normalisation (``docs/normalisation.md``) and nothing of the code under
test.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

_UNSEEN = "\u00ad\u200b\u2060\ufeff"
_PLAIN = {
    **dict.fromkeys(_UNSEEN, ""),
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾⁼ⁿ–−", "0123456789+-()=n--", strict=True)),
}
_ANY = re.compile(f"[{''.join(_PLAIN)}]")


def bare(text: str) -> str:
    """NFC without white space; raised characters and dashes in their plain form; no cell bars."""
    composed = "".join(unicodedata.normalize("NFC", text).split())
    return _ANY.sub(lambda found: _PLAIN[found[0]], composed).replace("|", "")


@dataclass
class Plain:
    """What the XML of one norm says."""

    text: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)  # the publisher's comments inside the text

    def walk(self, element: ET.Element, into: list[str]) -> None:
        match element.tag:
            case "Footnote":
                into = self.footnotes
                into.extend(element.get(part, "") for part in ("Prefix", "FnZ", "Postfix"))
            case "kommentar" if into is self.text:
                into = self.inner
            case "IMG":
                words = element.get("alt", "").strip()
                into.append(f"[Abbildung: {words}]" if words else "[Abbildung]")
            case "FILE":
                into.append("[PDF-Dokument]")
            case "QuoteL" | "QuoteR":
                into.append("„" if element.tag == "QuoteL" else "“")
            case "F" if not "".join(element.itertext()).strip():
                value = element.get("Value", "").strip()
                into.append(f"[{value}]" if value else "")
            case _:
                pass
        if not (element.tag == "SUP" and element.get("class") == "Rec"):
            into.append(element.text or "")
            for child in element:
                self.walk(child, into)
                into.append(child.tail or "")


def read_plain(norm: ET.Element) -> Plain:
    plain = Plain()
    for part, into in (("text", plain.text), ("fussnoten", plain.notes)):
        element = norm.find(f"textdaten/{part}")
        if element is not None:
            plain.walk(element, into)
    return plain


def read_norms(data: bytes) -> Iterator[tuple[str, str]]:
    """The publisher's number of each norm of a law, and its words."""
    for norm in ET.fromstring(data).findall("norm"):
        yield norm.get("doknr", ""), bare("".join(read_plain(norm).text))
