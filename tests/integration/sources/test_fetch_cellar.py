"""Fetching EU acts from CELLAR, played by a loopback server with its failures."""

import io
import tarfile
import urllib.request
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from email.message import Message
from pathlib import Path

import orjson
import pytest
import zstandard

from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.eu import cellar
from fundstelle.ingest.sources.eu.cellar_lists import list_acts, list_consolidated
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.ingest.sources.files import download
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import EU_LAW
from fundstelle.law.norms import NormKind
from tests.integration.corpora.building import Heard
from tests.integration.corpora.gii_archive import CORPUS
from tests.integration.services.loopback import Answer, Service, jump, pack, serve

NOW = datetime(2025, 2, 1, 12, tzinfo=UTC)
FORMEX = "application/zip;mtype=fmx4"
XHTML = "application/xhtml+xml"
PAGE = (
    b'<html xmlns="http://www.w3.org/1999/xhtml"><body><p class="oj-hd-ti">Amtsblatt</p>'
    b'<div class="eli-subdivision" id="art_1"><p class="oj-ti-art">Artikel 1</p>'
    b'<p class="oj-normal">Erfunden.</p></div></body></html>'
)
ARCHIVE = CORPUS / "eurlex.tar.zst"


def write_act(language: str = "DE", text: str = "Diese Verordnung ist erfunden.") -> bytes:
    return (
        f"<ACT><BIB.INSTANCE><LG.DOC>{language}</LG.DOC><DATE ISO='20200102'>2.1.2020</DATE>"
        "</BIB.INSTANCE><TITLE><TI><P>Verordnung (EU) 2020/7</P></TI></TITLE><ENACTING.TERMS>"
        f"<ARTICLE IDENTIFIER='001'><TI.ART>Artikel 1</TI.ART><ALINEA>{text}</ALINEA></ARTICLE>"
        "</ENACTING.TERMS></ACT>"
    ).encode()


def get_path(number: str) -> str:
    return f"/resource/celex/{number}"


def add(
    service: Service, number: str, form: str, language: str, body: bytes, **more: str
) -> Answer:
    kind = "application/zip" if form == FORMEX else form
    answer = Answer(body, kind=kind, **more)  # type: ignore[arg-type]
    service.answers[f"{get_path(number)} {form} {language}"] = answer
    return answer


def add_formex(service: Service, number: str, language: str = "deu", text: str = "") -> Answer:
    act = write_act(language[:2].upper(), text or "Diese Verordnung ist erfunden.")
    return add(service, number, FORMEX, language, pack({"L_2020001.01000101.xml": act}))


def list_rows(*rows: dict[str, str]) -> Answer:
    cells = [{name: {"type": "literal", "value": v} for name, v in row.items()} for row in rows]
    body = orjson.dumps({"head": {"vars": []}, "results": {"bindings": cells}})
    return Answer(body, kind="application/sparql-results+json")


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as service:
        service.ask = lambda _: list_rows()
        yield service


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(waits: list[float]) -> Downloader:
    patience = (1e9, 1e9)  # on that clock every answer is slow
    return Downloader(0, 5, sleep=waits.append, clock=jump(), patience=patience)


def fetch(
    service: Service, client: Downloader, cache: Path, *numbers: str, now: datetime = NOW
) -> Collection:
    files = cellar.fetch(Order(cache, service.url, numbers), client, Heard(), now)
    assert files is not None
    return Collection(EU_LAW, files, adds=True)


def read(collection: Collection) -> dict[str, str]:
    return {e.name: e.problem or "held" for e in collection.files.entries()}


def parse(collection: Collection) -> list[ParsedAct]:
    files = [
        SourceFile(e.name, e.name.rpartition("/")[0], e.data)
        for e in collection.files.entries()
        if e.problem is None
    ]
    return [one for one in iter_acts(files) if isinstance(one, ParsedAct)]


def test_german_formex_comes_first_and_the_adapter_reads_it(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    add_formex(service, "32020R0007")
    add_formex(service, "32020R0007", "eng")
    found = fetch(service, client, tmp_path, "32020R0007")
    assert found.files.url == service.url + "/"
    assert read(found) == {"32020R0007/oj/L_2020001.01000101.xml": "held"}
    (act,) = parse(found)
    assert act.statute.statute_id == "eu/32020R0007"
    (asked,) = service.asked
    assert (asked.headers["Accept"], asked.headers["Accept-Language"]) == (FORMEX, "deu")
    assert int(asked.headers["Accept-Max-Cs-Size"]) == 64 * 2**20


@pytest.mark.parametrize(
    ("form", "language", "body", "name"),
    [
        (XHTML, "deu", PAGE, "32020R0007_de.xhtml"),
        (FORMEX, "eng", pack({"folder/L_2020EN.xml": write_act("EN")}), "L_2020EN.xml"),
        (XHTML, "eng", PAGE, "32020R0007_en.xhtml"),
    ],
)
def test_what_there_is_not_in_german_formex_is_had_as_it_is(  # noqa: PLR0917 fixtures
    service: Service,
    client: Downloader,
    tmp_path: Path,
    form: str,
    language: str,
    body: bytes,
    name: str,
) -> None:
    add(service, "32020R0007", form, language, body)
    assert read(fetch(service, client, tmp_path, "32020R0007")) == {f"32020R0007/oj/{name}": "held"}


def test_a_form_that_may_not_be_had_is_passed_over(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    add_formex(service, "32020R0007").failures = [406]
    add(service, "32020R0007", XHTML, "deu", PAGE)
    assert list(read(fetch(service, client, tmp_path, "32020R0007"))) == [
        "32020R0007/oj/32020R0007_de.xhtml"
    ]


def test_a_better_form_that_appears_later_takes_the_place_of_the_one_held(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    add(service, "32020R0007", XHTML, "eng", PAGE)
    fetch(service, client, tmp_path, "32020R0007")
    add_formex(service, "32020R0007")
    found = fetch(service, client, tmp_path, "32020R0007")
    assert list(read(found)) == ["32020R0007/oj/L_2020001.01000101.xml"]


def test_the_newest_consolidated_text_comes_with_the_act(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    service.ask = lambda _: list_rows(
        {"act": "32020R0007", "celex": "02020R0007-20210101"},
        {"act": "32020R0007", "celex": "02020R0007-20220304"},
    )
    add_formex(service, "32020R0007")
    add_formex(service, "02020R0007-20220304")
    found = fetch(service, client, tmp_path, "32020R0007")
    assert list(read(found)) == [
        "32020R0007/oj/L_2020001.01000101.xml",
        "32020R0007/2022-03-04/L_2020001.01000101.xml",
    ]
    (query,) = service.queries
    assert '"32020R0007"^^xsd:string' in query
    assert "cdm:act_consolidated_based_on_resource_legal" in query


@pytest.mark.parametrize("held", [["2022-03-04"], []])
def test_a_consolidated_text_that_is_to_come_stands_for_none_in_force(
    service: Service, client: Downloader, tmp_path: Path, held: list[str]
) -> None:
    to_come = ["2025-02-02", "2031-07-01"]
    numbers = [f"02020R0007-{day.replace('-', '')}" for day in [*held, *to_come]]
    service.ask = lambda _: list_rows(*({"act": "32020R0007", "celex": n} for n in numbers))
    for number in ("32020R0007", *numbers):
        add_formex(service, number)
    found = fetch(service, client, tmp_path, "32020R0007")
    folders = [f"32020R0007/{day}" for day in ("oj", *held)]
    assert list(read(found)) == [f"{folder}/L_2020001.01000101.xml" for folder in folders]


def test_a_list_that_cannot_be_had_is_named_and_the_act_comes_all_the_same(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    service.ask = lambda _: Answer(b"<html>Sign in</html>", kind="text/html")
    add_formex(service, "32020R0007")
    found = read(fetch(service, client, tmp_path, "32020R0007"))
    assert "answers with no list (text/html)" in found.pop("consolidated texts")
    assert list(found.values()) == ["held"]


def test_acts_are_listed_by_type_and_day_page_by_page(service: Service, client: Downloader) -> None:
    pages = [
        list_rows(*({"celex": f"32020R{n:04}"} for n in range(1000))),
        list_rows({"celex": "32020L1000"}, {"celex": "52020PC0001"}, {"celex": "../../x"}),
    ]
    service.ask = lambda _: pages[len(service.queries) - 1]
    found = list_acts(service.url, client, date(2020, 1, 1))
    assert (len(found), found[-1]) == (1001, "32020L1000")
    assert '"2020-01-01"^^xsd:date' in service.queries[0]
    assert "resource-type/REG>" in service.queries[0]
    assert "OFFSET 1000" in service.queries[1]


def test_a_longer_list_than_was_asked_for_is_not_held(service: Service, client: Downloader) -> None:
    """A hundred pages of 16 MB are twenty million numbers."""
    page = list_rows(*({"celex": f"32020R{n:04}"} for n in range(1001)))
    service.ask = lambda _: page
    with pytest.raises(SourceError, match="a longer list than was asked for"):
        list_acts(service.url, client, date(2020, 1, 1))
    assert len(service.queries) == 1


def test_many_acts_are_asked_for_in_few_queries(service: Service, client: Downloader) -> None:
    acts = [f"32020R{n:04}" for n in range(120)]
    assert list_consolidated(service.url, client, acts) == {}
    assert len(service.queries) == 3


def test_a_second_run_sends_conditional_requests(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    add_formex(service, "32020R0007")
    first = fetch(service, client, tmp_path, "32020R0007")
    service.asked.clear()
    assert read(fetch(service, client, tmp_path, "32020R0007")) == read(first)
    assert service.asked == [], "what was confirmed so recently is not asked again"
    later = NOW + timedelta(days=1)
    assert read(fetch(service, client, tmp_path, "32020R0007", now=later)) == read(first)
    assert [one.is_conditional for one in service.asked] == [True]
    add_formex(service, "32020R0007", text="Geändert.").etag = '"2"'
    changed = fetch(service, client, tmp_path, "32020R0007", now=later + timedelta(days=1))
    assert "Geändert." in next(iter(changed.files.entries())).data.decode()


def test_an_interrupted_run_goes_on_where_it_stopped(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    numbers = [f"32020R000{n}" for n in range(1, 8)]
    for number in numbers:
        add_formex(service, number).failures = [] if number < numbers[2] else [503] * 4
    with pytest.raises(SourceError, match=r"5 times in a row.*goes on where it stopped"):
        fetch(service, client, tmp_path, *numbers)
    service.asked.clear()
    assert set(read(fetch(service, client, tmp_path, *numbers)).values()) == {"held"}
    assert service.paths == [get_path(number) for number in numbers[2:]]


@pytest.mark.parametrize(
    ("failures", "headers", "expected"),
    [([503], {}, [1.0]), ([429], {"Retry-After": "7"}, [7.0]), ([503, 503], {}, [1.0, 2.0])],
)
def test_a_busy_repository_is_asked_again_later(  # noqa: PLR0917 fixtures
    service: Service,
    client: Downloader,
    waits: list[float],
    tmp_path: Path,
    failures: list[int],
    headers: dict[str, str],
    expected: list[float],
) -> None:
    answer = add_formex(service, "32020R0007")
    answer.failures, answer.headers = list(failures), headers
    assert set(read(fetch(service, client, tmp_path, "32020R0007")).values()) == {"held"}
    assert [wait for wait in waits if wait] == expected


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "is not there (deu, eng)"),
        (Answer(b"x" * 100, cut=50), "cannot be fetched in 4 tries"),
        (Answer(pack({"a.xml": b"<ACT/>"})[:40]), "is not a zip file of Formex"),
        (Answer(b"<html>Sign in</html>", kind="text/html"), "is not a zip file of Formex (text"),
        (Answer(b"", failures=[503] * 99), "answers 503"),
        (Answer(b"", failures=[303], headers={"Location": "ftp://x.de/y"}), "is not followed"),
        (Answer(b"x" * 10**6, drips=True), "it drips"),
    ],
)
def test_an_act_that_cannot_be_had_is_named_and_the_rest_goes_on(
    service: Service, client: Downloader, tmp_path: Path, answer: Answer | None, reason: str
) -> None:
    add_formex(service, "32020R0008")
    if answer:
        service.answers[get_path("32020R0007")] = answer
    found = read(fetch(service, client, tmp_path, "32020R0007", "32020R0008"))
    assert reason in found["32020R0007/oj"]
    assert found["32020R0008/oj/L_2020001.01000101.xml"] == "held"


@pytest.mark.parametrize("number", ["DSGVO", "../../etc", "32016R0679/../x", "", "3 2016R0679"])
def test_what_is_no_celex_number_is_refused(
    service: Service, client: Downloader, tmp_path: Path, number: str
) -> None:
    with pytest.raises(SourceError, match="is no CELEX number"):
        fetch(service, client, tmp_path, number)
    assert service.asked == []


def test_members_of_a_zip_file_never_become_paths(
    service: Service, client: Downloader, tmp_path: Path
) -> None:
    add(service, "32020R0007", FORMEX, "deu", pack({"../../a.xml": write_act(), "b.tif": b""}))
    assert list(read(fetch(service, client, tmp_path, "32020R0007"))) == ["32020R0007/oj/a.xml"]


@pytest.mark.parametrize(
    ("location", "followed"),
    [
        ("http://publications.europa.eu/resource/x", "https://publications.europa.eu/resource/x"),
        ("https://publications.europa.eu/x", "https://publications.europa.eu/x"),
        ("http://elsewhere.eu/x", None),
        ("http://publications.europa.eu:8080/x", None),
        ("file:///etc/passwd", None),
    ],
)
def test_a_redirect_to_the_same_host_without_https_is_followed_with_it(
    location: str, followed: str | None
) -> None:
    handler = download._CarefulRedirects()
    asked = urllib.request.Request(
        "https://publications.europa.eu/resource/celex/32016R0679", headers={"Accept": FORMEX}
    )
    if followed is None:
        with pytest.raises(SourceError, match="is not followed"):
            handler.redirect_request(asked, io.BytesIO(), 303, "", Message(), location)  # type: ignore[arg-type]
        return
    next_one = handler.redirect_request(asked, io.BytesIO(), 303, "", Message(), location)  # type: ignore[arg-type]
    assert next_one is not None
    assert (next_one.full_url, next_one.headers["Accept"]) == (followed, FORMEX)


@pytest.mark.parametrize(
    ("location", "has_key"), [("https://a.eu/x", True), ("https://elsewhere.eu/x", False)]
)
def test_a_key_goes_to_no_other_host(location: str, *, has_key: bool) -> None:
    asked = urllib.request.Request("https://a.eu/", headers={"Authorization": "ApiKey 1"})
    handler = download._CarefulRedirects()
    next_one = handler.redirect_request(asked, io.BytesIO(), 303, "", Message(), location)  # type: ignore[arg-type]
    assert next_one is not None
    assert ("Authorization" in next_one.headers) == has_key


def read_archive(prefix: str) -> dict[str, bytes]:
    found = {}
    with ARCHIVE.open("rb") as packed:
        reader = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed)
        with tarfile.open(fileobj=io.BufferedReader(reader, 1 << 20), mode="r|") as tar:
            for member in tar:
                name = member.name.removeprefix("./")
                content = tar.extractfile(member) if name.startswith(prefix) else None
                if content is not None and member.isfile():
                    found[name] = content.read()
    return found


@pytest.mark.corpus
@pytest.mark.skipif(not ARCHIVE.is_file(), reason=f"{ARCHIVE.name} is not beside the checkout")
def test_the_archive_served_as_cellar_does_gives_the_acts_that_the_archive_gives(
    service: Service, tmp_path: Path
) -> None:
    client = Downloader(pause=0, timeout=30)
    german = read_archive("formex-de/32016R0679/")
    english = read_archive("cellar-en/32022R2065/")
    (name,) = german
    add(service, "32016R0679", FORMEX, "deu", pack({Path(name).name: german[name]}))
    page = next(data for name, data in english.items() if name.endswith("en.oj.xhtml"))
    add(service, "32022R2065", XHTML, "eng", page)
    found = fetch(service, client, tmp_path, "32016R0679", "32022R2065")
    assert [entry.data for entry in found.files.entries()] == [*german.values(), page]
    acts = {act.statute.statute_id: act for act in parse(found)}
    assert set(acts) == {"eu/32016R0679", "eu/32022R2065"}
    kinds = Counter(norm.kind for norm, _ in acts["eu/32016R0679"].norms)
    assert (kinds[NormKind.ARTICLE], kinds[NormKind.RECITAL]) == (99, 173)
