"""Names that come out of addresses and lists, and where they may lead in the cache: nowhere."""

from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fundstelle.errors import SourceError
from fundstelle.ingest import origin
from fundstelle.ingest.sources.files.cache import check_name, get_folder
from fundstelle.ingest.sources.files.download import Downloader
from tests.integration.corpora.building import Heard

LEADING_OUT = (
    *("..", ".", "", "../x", "..\\x", "a/b", "a\\b", "/etc/passwd", "C:\\x", "C:x", "~"),
    *("a\0b", "a\nb", "\u202egpj", ".hidden", "x.", "x ", "NUL", "nul.zip", "COM1.tar.gz", "con"),
    *("%2e%2e%2fx", "x" * 201, "ä" * 101, "\udcff"),
)


@pytest.mark.parametrize("name", LEADING_OUT)
def test_a_name_that_leads_out_of_the_cache_or_to_a_device_is_refused(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(SourceError, match="is not the name of a document"):
        get_folder(tmp_path, name)


@pytest.mark.parametrize(
    "name",
    [
        *("bgb", "1-dm-goldm_nzg", "_appro_ndv_3", "32016R0679R(02)", "JURE1", "bürg"),
        "gii-xml-2026-04-29.tar.zst",
    ],
)
def test_the_names_of_documents_are_taken(tmp_path: Path, name: str) -> None:
    assert get_folder(tmp_path, name) == tmp_path / name


@given(st.text(max_size=30))
@example("a/../../b")
def test_whatever_name_is_taken_is_one_part_of_a_path(name: str) -> None:
    try:
        check_name(name)
    except SourceError:
        return
    assert PurePosixPath(name).parts == (name,)
    assert not set(name) & set("/\\:\0\n%")


@pytest.mark.parametrize(
    "path",
    [
        "..%2f..%2f..%2fevil.tar.gz",
        "%2e%2e%2fevil.zip",
        "a%5c..%5cevil.zip",
        "evil%00.zip",
        "%2fetc%2fevil.zip",
        "NUL.zip",
        quote("x" * 300) + ".zip",
    ],
)
def test_an_address_whose_name_leads_out_of_the_cache_is_not_even_asked(
    tmp_path: Path, path: str
) -> None:
    assert unquote(path)
    wanted = origin.Origin(
        f"http://127.0.0.1:9/{path}", (), everything=False, roots=(), cache=tmp_path
    )
    client = Downloader(tries=1, pause=0, sleep=lambda _: None)
    with pytest.raises(SourceError, match="is not the name of a document"):
        origin.find(wanted, client, Heard())
    assert list(tmp_path.iterdir()) == []
