"""Links to sources lead to publishers, however hostile the files are that a build was made of."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partialmethod
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner
from lxml.html import document_fromstring

from fundstelle.bootstrap.library import open_library
from fundstelle.cli import cli
from fundstelle.corpus.rows import decode_statute, encode_statute
from fundstelle.ingest import reading
from fundstelle.ingest.build import decisions as encoding
from fundstelle.ingest.build.pool import Pool
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot, SourceEntry
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources import demonstration
from fundstelle.ingest.sources.courts import openlegaldata
from fundstelle.ingest.sources.registry import COURTS
from fundstelle.law import decisions, norms
from fundstelle.law.publishers import HOSTS, find_link
from fundstelle.lookup.addresses import decision_path
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.corpora.building import build
from tests.integration.sites.law_site import open_law_site
from tests.unit.corpus.values import STATUTE

HOSTILE = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//https://www.bverwg.de/",
    "data:text/html,<script>alert(1)</script>",
    "http://evil.example/",
    "https://evil.example/",
    "https://anna@www.bverwg.de/",
    "https://www.bverwg.de@evil.example/",
    "https://www.bverwg.de:8443/",
    "https://www.gesetze-im-internet.de.evil.example/",
    "https://evil.example/www.bverwg.de",
    "https://wwwibverwg.de/",
    "https://www.bverwg.de./",
    "https://www.bverwg\u3002de/",
    "https://www.b\u0435rwg.de/",
    "https://xn--bverwg.de/",
    "https://www.bverwg.de\\@evil.example/",
    "https:/www.bverwg.de/",
    "https:///www.bverwg.de/",
    "//www.bverwg.de/",
    "\u0001https://www.bverwg.de/",
    " https://www.bverwg.de/",
    "https://www.bverwg.de/a\nb",
    "https://www.bverwg.de/\u001b]8;;x",
    'https://www.bverwg.de/"onclick="alert(1)',
    "https://www.bverwg.de/<script>",
    "https://www.bverwg.de/a](https://evil.example)",
    "https://www.bverwg.de/" + "a" * 5_000,
    "ftp://www.bverwg.de/",
    "vbscript:x",
    "",
)
WORDS = '<img src=x onerror=alert(1)> [klick](javascript:alert(2)) \u202eevil "><script>'


@pytest.mark.parametrize("address", HOSTILE)
def test_what_is_no_publishers_page_is_no_link(address: str) -> None:
    assert find_link(address) is None


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_a_publishers_page_is_a_link_and_always_https(host: str) -> None:
    page = f"{host}/legal-content/DE/TXT/?uri=CELEX:62019CV0001(02)"
    assert find_link(f"https://{page}") == f"https://{page}"
    assert find_link(f"http://{page}") == f"https://{page}"
    assert find_link(f"https://{host}") == f"https://{host}/"


@pytest.mark.parametrize("address", HOSTILE)
def test_no_such_address_enters_a_build(address: str) -> None:
    record = {
        "slug": "a-1",
        "court": {"name": "Bundesgerichtshof"},
        "file_number": "I ZR 1/23",
        "date": "2023-01-02",
        "type": "Urteil",
        "source_url": address,
        "content": "<p>Die Revision\u001b[2J wird zur\u009b0mückgewiesen.</p>",
    }
    (parsed,) = openlegaldata.iter_cases(SourceFile("a.jsonl", "", orjson.dumps(record)))
    assert isinstance(parsed, ParsedDecision)
    (source,) = parsed.decision.sources
    usual = "https://de.openlegaldata.io/case/a-1"
    assert source.url == (None if address else usual)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", parsed.text.text)


@dataclass(frozen=True)
class Files:
    """Decisions as a hostile publisher would write them."""

    name: str = "hostile"
    url: str = "javascript:alert(3)"
    retrieved_at: datetime = datetime(2025, 1, 1, tzinfo=UTC)

    def entries(self) -> Iterator[SourceEntry]:
        records = [
            {
                "slug": f"a-{number}",
                "court": {"name": "Bundesgerichtshof"},
                "file_number": f"I ZR {number}/23",
                "date": "2023-01-02",
                "type": "Urteil",
                "source_url": address,
                "content": f"{WORDS} Die Revision zu § 1 DemoG ist zulässig. {number}",
            }
            for number, address in enumerate(HOSTILE, start=1)
        ]
        yield SourceEntry("decisions/old.jsonl", b"\n".join(map(orjson.dumps, records)))


def read_here(pool: Pool, spread: Any, work: Any, jobs: Any) -> Iterator[Any]:
    """Let decisions be read in this process, where addresses are not looked at."""
    is_reading = work.__module__ in {reading.__name__, encoding.__name__}
    return (work(*job) for job in jobs) if is_reading else spread(pool, work, jobs)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build that was made before addresses were looked at."""
    folder: Path = tmp_path_factory.mktemp("old")
    sources: list[Snapshot | Collection] = [
        *demonstration.open_snapshots(),
        Collection(COURTS, Files()),
    ]
    with pytest.MonkeyPatch.context() as patch:
        for module in (decisions, norms):
            patch.setattr(module, "find_link", lambda address: address)
        patch.setattr(Pool, "map", partialmethod(read_here, Pool.map))
        build(folder, sources, engine=TantivyEngine())
    return folder


def test_the_old_build_holds_what_it_was_given(old: Path) -> None:
    (database,) = old.glob("builds/*/decisions.sqlite")
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT header FROM decisions").fetchall()
    held = {source["url"] for (header,) in rows for source in json.loads(header)["sources"]}
    assert held >= set(HOSTILE) - {""}


@pytest.mark.parametrize("address", HOSTILE)
def test_the_address_of_a_law_is_looked_at_too(address: str) -> None:
    statute = replace(STATUTE, source_url="https://www.gesetze-im-internet.de/musterg/")
    header = encode_statute(statute, []).header
    assert decode_statute(header) == statute
    old = json.dumps({**json.loads(header), "source_url": address})
    assert decode_statute(old).source_url == ""


def iter_addresses(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name.endswith("url") and isinstance(inner, str):
                yield inner
            yield from iter_addresses(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from iter_addresses(inner)


def test_no_tool_gives_such_an_address_out(old: Path) -> None:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(old)}))
    registry = build_registry(library, today=date.today, base_url="")
    tools = {tool.name: tool for tool in registry.tools}
    calls: list[tuple[str, dict[str, object]]] = [
        ("legal_get_stats", {}),
        ("legal_list_laws", {}),
        ("legal_get_toc", {"law_abbreviation": "DemoG"}),
        ("legal_lookup", {"citation": "§ 1 DemoG", "response_format": "detailed"}),
        ("legal_lookup", {"citation": "§ 999 DemoG"}),
        ("legal_search", {"query": "Revision zulässig", "top_k": 50}),
        ("legal_find_citing_decisions", {"cited_norm": "§ 1 DemoG"}),
    ]
    for number in range(1, len(HOSTILE)):
        citation = f"BGH, Urteil vom 02.01.2023 - I ZR {number}/23"
        calls.append(("legal_lookup", {"citation": citation, "response_format": "detailed"}))
    found: list[str] = []
    for name, arguments in calls:
        answer = tools[name].call(arguments, CallContext("", ""))
        assert b"evil.example/" not in (answer.structured or b"").replace(WORDS.encode(), b"")
        found += iter_addresses(orjson.loads(answer.structured or b"{}"))
    assert len(found) > len(calls) - len(HOSTILE)  # most decisions have no other address
    assert {address for address in found if address and find_link(address) != address} == set()
    library.index.close()
    library.store.close()


def test_no_page_links_to_such_an_address_or_takes_words_for_markup(
    old: Path, tmp_path: Path
) -> None:
    with open_law_site(old, tmp_path, pages_per_minute="0") as site:
        with site.services.library() as library:
            assert library is not None
            held = library.decisions.get_by_ordinal(range(len(HOSTILE)))
        browser = site.visit()
        paths = ["/", "/n/de/demog", "/n/de/demog/1", "/search?q=Revision"]
        paths += [decision_path(one.decision_id) for one in held]
        for path in paths:
            page = browser.get(path)
            assert page.status_code == 200, path
            tree = document_fromstring(page.text)
            for link in tree.xpath("//*[@href]/@href"):
                own = link.startswith(("/", "#")) and not link.startswith("//")
                assert own or find_link(link) == link, (path, link)
            assert not tree.xpath("//main//img | //main//script | //*[@onclick or @onerror]")
        assert "klick" in page.text  # as text
        assert f"<dd>{held[-1].sources[0].publisher_id}</dd>" in re.sub(r"\s", "", page.text)


def test_the_command_line_prints_no_such_address(old: Path) -> None:
    def run(*arguments: str) -> str:
        done = CliRunner().invoke(cli, arguments, env={"FUNDSTELLE_DATA": str(old)})
        assert done.exit_code == 0, done.output
        return done.output

    output = run("search", "Revision") + run("lookup", "DemoG") + run("lookup", "§ 1 DemoG")
    output += run("lookup", "BGH, Urteil vom 02.01.2023 - I ZR 4/23")
    assert "evil.example/" not in output
    assert "javascript:alert(1)" not in output
