"""Nothing a file says makes the reader open another file, grow without bound or crash."""

from pathlib import Path

import pytest

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.gii import parse as gii
from tests.unit.ingest.gii_laws import DOCTYPE, PROLOGUE, STAND, law, norm

_GOOD = law([norm("§ 1", "<P>Muster gelten.</P>")]).data.decode()


def _file(data: str | bytes) -> SourceFile:
    return SourceFile("laws/x/x.xml", "x", data.encode() if isinstance(data, str) else data)


def _with_dtd(declarations: str, use: str) -> str:
    doctype = f"<!DOCTYPE dokumente [{declarations}]>"
    return _GOOD.replace(DOCTYPE, doctype).replace("Muster gelten.", use)


_LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "Muster"}">' for i in range(12))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("Kein Gesetz", "no XML"),
        (b"PK\x03\x04zip", "no XML"),
        (_GOOD[:-30], "cut off"),
        (_GOOD[: len(_GOOD) // 2], "cut off"),
        (
            _GOOD.replace("Muster gelten.", "Müster".encode().decode("latin-1") + "</Q>"),
            "well-formed",
        ),
        (_GOOD.encode().replace(b"Muster gelten.", b"M\xfcster"), "UTF-8"),
        (_GOOD.replace("UTF-8", "ISO-8859-1"), "ISO-8859-1"),
        (_GOOD.replace("UTF-8", "UTF-16").encode("utf-16"), "UTF-16"),
        (_with_dtd(_LAUGHS, "&l11;"), "entities"),
        (_with_dtd('<!ENTITY a "b">', "kein Aufruf"), "entities"),
        (_GOOD.replace("Muster gelten.", "&unbekannt;"), "entity"),
        (_GOOD.replace("gelten.", "<B>" * 130 + "x" + "</B>" * 130), "nested"),
        (_GOOD.replace("gelten.", "<B>" * 5000 + "x" + "</B>" * 5000), "nested"),
        (_GOOD.replace("dokumente", "gesetz"), "root"),
        (f"{PROLOGUE}<dokumente/>", "no norm"),
        (_GOOD.replace("jurabk>", "kurzbez>"), "names no law"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else "file",
)
def test_an_unusable_file_is_rejected_with_its_reason(data: str | bytes, reason: str) -> None:
    with pytest.raises(RejectedFile, match=reason) as rejected:
        gii.parse_statute(_file(data), "de/x", "X", STAND)
    assert rejected.value.name == "laws/x/x.xml"
    assert "\n" not in str(rejected.value)


@pytest.mark.parametrize("data", ["", "Kein Gesetz", f"{PROLOGUE}<dokumente/>", _GOOD[:300]])
def test_the_header_of_an_unusable_file_is_rejected_too(data: str) -> None:
    with pytest.raises(RejectedFile):
        gii.read_header(_file(data))


def test_a_file_on_disk_is_never_read_through_an_entity(tmp_path: Path) -> None:
    secret = tmp_path / "geheim.txt"
    secret.write_text("streng geheim")
    attack = _with_dtd(f'<!ENTITY datei SYSTEM "{secret.as_uri()}">', "&datei;")
    for read in (
        lambda file: gii.parse_statute(file, "de/x", "X", STAND),
        gii.read_header,
    ):
        with pytest.raises(RejectedFile) as rejected:
            read(_file(attack))
        assert "geheim" not in str(rejected.value)


def test_a_dtd_on_disk_is_never_loaded(tmp_path: Path) -> None:
    dtd = tmp_path / "fremd.dtd"
    dtd.write_text('<!ENTITY wort "aus der Datei">')
    doctype = f'<!DOCTYPE dokumente SYSTEM "{dtd.as_uri()}">'
    with pytest.raises(RejectedFile, match="entity"):
        gii.parse_statute(
            _file(_GOOD.replace(DOCTYPE, doctype).replace("gelten", "&wort;")), "de/x", "X", STAND
        )


def test_the_publishers_doctype_line_is_ignored() -> None:
    parsed = gii.parse_statute(_file(_GOOD), "de/x", "X", STAND)
    assert parsed.norms[0][1].text == "Muster gelten."


def test_the_header_is_read_from_the_first_norm_alone() -> None:
    spoilt = _GOOD.replace("</dokumente>", "") + "<norm>" * 3
    padded = spoilt.replace("Muster gelten.", "Muster gelten. " * 20_000)
    assert gii.read_header(_file(padded)).abbreviation_official == "MustG"
