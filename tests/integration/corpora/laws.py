"""Invented laws in the official format, and snapshots of them."""

from collections.abc import Mapping
from pathlib import Path
from zlib import crc32

DAY = "20250101"


def write_law(
    folder: Path,
    slug: str,
    number: int,
    sections: Mapping[str, str],
    *,
    name: str = "",
    day: str = DAY,
    issued: str = "2020-01-01",
    titles: Mapping[str, str] | None = None,
    heading: str = "",
) -> Path:
    """``<folder>/<slug>/BJNR….xml`` with one norm for each designation and text.

    ``heading`` is the title of an Abschnitt 1 that all of them stand below.
    """
    doknr = f"BJNR9{number:08d}"
    name = name or slug.capitalize()
    head = (
        f'<norm builddate="{day}000000" doknr="{doknr}"><metadaten><jurabk>{name}</jurabk>'
        f"<amtabk>{name}</amtabk><ausfertigung-datum>{issued}</ausfertigung-datum>"
        f"<langue>{name}, ein erfundenes Gesetz</langue></metadaten><textdaten/></norm>"
    )
    above = (
        f'<norm builddate="{day}000000" doknr="{doknr}BJNG000100000"><metadaten>'
        f"<jurabk>{name}</jurabk><gliederungseinheit><gliederungskennzahl>010"
        f"</gliederungskennzahl><gliederungsbez>Abschnitt 1</gliederungsbez><gliederungstitel>"
        f"{heading}</gliederungstitel></gliederungseinheit></metadaten><textdaten/></norm>"
    )
    norms = "".join(
        f'<norm builddate="{day}000000" doknr="{doknr}BJNE{place:09d}"><metadaten>'
        f"<jurabk>{name}</jurabk><enbez>{enbez}</enbez>"
        f"{f'<titel>{titles[enbez]}</titel>' if titles else ''}</metadaten><textdaten>"
        f'<text format="XML"><Content><P>{text}</P></Content></text></textdaten></norm>'
        for place, (enbez, text) in enumerate(sections.items())
    )
    path = folder / slug / f"{doknr}.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8" ?><!DOCTYPE dokumente SYSTEM'
        ' "http://www.gesetze-im-internet.de/dtd/1.01/gii-norm.dtd">\n'
        f'<dokumente builddate="{day}000000" doknr="{doknr}">'
        f"{head}{above if heading else ''}{norms}</dokumente>\n",
        encoding="utf-8",
    )
    return path


def write_contents(folder: Path, *slugs: str) -> None:
    """The publisher's table of contents of a snapshot."""
    base = "http://www.gesetze-im-internet.de"
    links = "".join(
        f"<item><title>Gesetz &quot;{slug}&quot;</title>\n<link>{base}/{slug}/xml.zip</link></item>"
        for slug in slugs
    )
    (folder / "gii-toc.xml").write_text(f"<items>{links}</items>", encoding="utf-8")


def write_laws(folder: Path, laws: Mapping[str, Mapping[str, str]]) -> Path:
    """A snapshot of laws by their abbreviations; the folder's name tells its day.

    Each has the document number that its name gives it, in whatever snapshot it stands.
    """
    day = folder.name.removeprefix("gii-").replace("-", "")
    for name, sections in laws.items():
        number = crc32(name.encode()) % 10**8
        write_law(folder / "laws", name.lower(), number, sections, name=name, day=day)
    write_contents(folder, *(name.lower() for name in laws))
    return folder


def write_snapshot(folder: Path, laws: int = 3, day: str = DAY) -> Path:
    """A folder ``laws/`` with that many laws of three sections each."""
    for number in range(1, laws + 1):
        sections = {
            "§ 1": f"Das Mustergesetz {number} ist erfunden.",
            "§ 2": "§ 1 gilt entsprechend.",
            "§ 2a": "Kein geltendes Recht.",
        }
        write_law(folder / "laws", f"muster{number}g", number, sections, day=day)
    return folder
