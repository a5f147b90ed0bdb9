"""Documents written for the tests: Word with footnotes and tracked changes, and PDF."""

import zipfile
from collections.abc import Sequence
from io import BytesIO

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_TYPES = f"""<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="{_KIND}.document.main+xml"/>
<Override PartName="/word/footnotes.xml" ContentType="{_KIND}.footnotes+xml"/></Types>"""


def write_run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def write_note(number: int) -> str:
    """The sign of a footnote."""
    return f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'


def write_word(paragraphs: Sequence[str], notes: Sequence[str] = (), named: int = 1) -> bytes:
    """A Word document of paragraphs, each as runs of WordprocessingML; notes from number 1.

    ``named``: how many relationships name the part of the notes.
    """
    body = "".join(f"<w:p>{runs}</w:p>" for runs in paragraphs)
    kept = "".join(
        f'<w:footnote w:id="{number}"><w:p>{write_run(text)}</w:p></w:footnote>'
        for number, text in enumerate(notes, 1)
    )
    files = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _relate("officeDocument", "word/document.xml"),
        "word/_rels/document.xml.rels": _relate("footnotes", "footnotes.xml", named),
        "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>',
        "word/footnotes.xml": f'<w:footnotes xmlns:w="{_W}">{kept}</w:footnotes>',
    }
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def _relate(kind: str, target: str, times: int = 1) -> str:
    links = "".join(
        f'<Relationship Id="r{number}" Type="{_R}/{kind}" Target="{target}"/>'
        for number in range(1, times + 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


def write_pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF of pages, each of lines in Latin-1."""
    bodies = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    first = 4
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    bodies.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    bodies.append(
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    )
    for number, lines in enumerate(pages):
        words = b"".join(
            b"(" + line.encode("cp1252").replace(b"(", rb"\(").replace(b")", rb"\)") + b") Tj T* "
            for line in lines
        )
        stream = b"BT /F1 12 Tf 14 TL 72 720 Td " + words + b"ET"
        bodies.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources"
            b" << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>" % (first + 2 * number + 1)
        )
        bodies.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(bodies) + 1, table)
    return bytes(out)
