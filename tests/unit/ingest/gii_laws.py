"""Invented laws in the publisher's format; builders for the variants."""

from collections.abc import Sequence
from datetime import date

from fundstelle.ingest.records import ParsedStatute, SourceFile
from fundstelle.ingest.sources.gii import parse as gii
from fundstelle.law.norms import Fassung, Norm

STAND = date(2025, 3, 31)
_HEAD = (
    "<jurabk>MusterG 2020</jurabk><jurabk>MusterG</jurabk><amtabk>MustG</amtabk>"
    '<ausfertigung-datum manuell="ja">2020-02-03</ausfertigung-datum>'
    '<fundstelle typ="amtlich"><periodikum>BGBl I</periodikum><zitstelle>2020, 17</zitstelle>'
    "</fundstelle><kurzue>Mustergesetz</kurzue><langue>Gesetz über<BR/>erfundene Muster</langue>"
    '<standangabe checked="ja"><standtyp>Stand</standtyp>'
    "<standkommentar>Zuletzt geändert durch Art. 9 G v. 1.2.2021 I 3</standkommentar></standangabe>"
)
PROLOGUE = '<?xml version="1.0" encoding="UTF-8" ?>'
DOCTYPE = '<!DOCTYPE dokumente SYSTEM "http://gesetze.example/gii-norm.dtd">'


def norm(
    enbez: str = "", content: str = "", *, titel: str = "", more: str = "", unit: str = ""
) -> str:
    """A ``norm``; *content* goes into ``Content``, *more* beside it, *unit* is its heading."""
    parts = [
        f"<gliederungseinheit>{unit}</gliederungseinheit>" if unit else "",
        f"<enbez>{enbez}</enbez>" if enbez else "",
        f"<titel>{titel}</titel>" if titel else "",
    ]
    text = f"<text><Content>{content}</Content>{more}</text>" if content or more else ""
    return (
        f'<norm doknr="BJNR1BJNE1"><metadaten><jurabk>MusterG</jurabk>{"".join(parts)}</metadaten>'
        f"<textdaten>{text}</textdaten></norm>"
    )


def heading(code: str, name: str, title: str = "", content: str = "") -> str:
    return norm(
        content=content,
        unit=(
            f"<gliederungskennzahl>{code}</gliederungskennzahl><gliederungsbez>{name}"
            f"</gliederungsbez><gliederungstitel>{title}</gliederungstitel>"
        ),
    )


def law(norms: Sequence[str], head: str = _HEAD, front: str = "") -> SourceFile:
    first = (
        f'<norm doknr="BJNR1"><metadaten>{head}</metadaten><textdaten>{front}</textdaten></norm>'
    )
    xml = f'{PROLOGUE}{DOCTYPE}<dokumente doknr="BJNR1">{first}{"".join(norms)}</dokumente>'
    return SourceFile("laws/musterg/BJNR1.xml", "musterg", xml.encode())


def parse(norms: Sequence[str], head: str = _HEAD, front: str = "") -> ParsedStatute:
    return gii.parse_statute(law(norms, head, front), "de/mustg", "MustG", STAND)


def read(content: str, enbez: str = "§ 1", more: str = "") -> tuple[Norm, Fassung]:
    """The only norm of a law with this content."""
    (record,) = parse([norm(enbez, content, more=more)]).norms
    return record
