"""Every field that an answer has is declared, and every field that is declared some answer has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

import jsonschema
import orjson
import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.norms import DatePrecision, StandNote
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.tools import (
    find_citing_decisions,
    get_context,
    get_stats,
    get_toc,
    list_laws,
    lookup,
    lookup_batch,
    search,
)
from fundstelle.tools.answers.context_rows import ContextAnswer
from fundstelle.tools.registry import build_tools
from fundstelle.tools.spec import CallContext, Tool
from tests.unit.lookup.invented import InventedStore, build_library
from tests.unit.tools.calling import close, find_nulls

pytestmark = pytest.mark.corpus

TODAY = date(2026, 5, 2)
CONTEXT = CallContext(request_id="test", principal_id="test")
DETAILED = {"response_format": "detailed"}
KINDS: dict[str, type] = {
    find_citing_decisions.NAME: find_citing_decisions.CitingAnswer,
    get_context.NAME: ContextAnswer,
    get_stats.NAME: get_stats.StatsAnswer,
    get_toc.NAME: get_toc.TocAnswer,
    list_laws.NAME: list_laws.ListAnswer,
    lookup.NAME: lookup.LookupAnswer,
    lookup_batch.NAME: lookup_batch.BatchAnswer,
    search.NAME: search.SearchAnswer,
}
CITATIONS = (
    "§ 22 Nr. 1 EStG",  # a note on its neighbour
    *("§ 823 Abs. 1 BGB", "§§ 823 ff. BGB", "BGB", "DSGVO", "Art. 6 Abs. 1 lit. a DSGVO"),
    *("§ 823 BGB Abs. 9", "§ 9999 BGB", "§ 1 Nirgendsgesetz", "Unfug", "§ 12", "§ 1 LBO"),
    *("§ 80 SGB", "§ 80 SGB X", "§ 1 VVG 1908", "§ 241a BGB aF", "§ 15 BGB", "§ 4 Nr. 8 UStG"),
    *("BGH VI ZR 175/22", "BGH VI ZR 175/22 Rn. 12", "BVerfGE 7, 198", "NJW 2004, 1234"),
    *("BGBl. I 2001 S. 3138", "BT-Drs. 17/12299", "ECLI:DE:BGH:2022:150322UVIZR77.21.0"),
    *("§ 280 Abs. 1, 3 i.V.m. § 281 BGB", "823 BGB", "§ 1 BImSchG", "§ 2 Nr. 3 Buchst. a KSchG"),
    *("Anlage 1 GKG Nr. 1210", "EuGH C-311/18", "32016R0679", "§ 312k BGB", "§ 1618 BGB"),
    *("§ 433 Abs. 1 Satz 1 BGB Alt. 1", "§ 1 BUrlG", "§ 7 BUrlG", "§ 1595a BGB", "1 K 1/20"),
    *("BAG 2 AZR 1/20", "BVerfG 1 BvR 16/13", "§ 622 Abs. 2 Satz 1 Nr. 1 BGB", "§ 5 BetrVG"),
    *("§ 480a BGB", "§ 1618a BGB", "§ 14 BGB", "§ 312h Satz 1 Nr. 1 BGB", "§ 326 SGB V"),
    *("§ 812 Abs. 1 Satz 1 Alt. 1 BGB", "BGBl. I 1999 S. 9999", "§§ 823 bis 826 BGB"),
    *("§ 823 BGB Tabelle 7", "§§ 9998, 9999 BGB Tabelle 7", "§ 1896 BGB"),
    *("§ 4 BSHG", "BSHG"),
)
QUOTES = ("Leben, den Körper, die Gesundheit", "Freiheit, den Leib, die Gesundheit", "unbekannt")
UNREAD = "§ 823 BGB Tabelle 7"
LONG = "§ 312 BGB"  # of more words than differences are listed
SINCE = date(2026, 1, 1)
THEN = "in der bis zum 28.4.2026 geltenden Fassung"  # a day of its own beside that of the call
OF_TWO_DAYS = (f"§ 8 MusterG, § 8 MusterG {THEN}", f"§ 4 MusterG, § 99 MusterG {THEN}")
DATED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("legal_lookup", {"citation": citation}) for citation in OF_TWO_DAYS),
    ("legal_lookup_batch", {"citations": [*OF_TWO_DAYS, f"§ 8 MusterG {THEN}"]}),
    (
        "legal_lookup_batch",
        {"citations": [*OF_TWO_DAYS, f"§ 8 MusterG {THEN}"], "response_format": "verdict"},
    ),
    ("legal_lookup", {"citation": "§ 8 MusterG", "as_of": "2025-12-31"}),
    ("legal_lookup", {"citation": "§ 8 MusterG"}),
    ("legal_lookup", {"citation": "§ 8 MusterG", **DETAILED}),
    ("legal_lookup", {"citation": "§ 3 MusterG"}),
    ("legal_lookup", {"citation": "MusterG"}),
    ("legal_lookup", {"citation": "AltMG"}),
    ("legal_lookup", {"citation": "§ 1 AltMG"}),
    ("legal_get_toc", {"law_abbreviation": "MusterG"}),
    ("legal_get_context", {"norm_id": "§ 8 MusterG", "include": ["versions"]}),
    ("legal_list_laws", {"changed_since": "2025-04-01"}),
    ("legal_get_toc", {"law_abbreviation": "MusterG", "compare_to": "2025-04-01"}),
    ("legal_get_toc", {"law_abbreviation": "SGB IV", "compare_to": "2025-04-01"}),
    ("legal_lookup", {"citation": "§ 1 SGB IV"}),
    ("legal_get_context", {"norm_id": "§ 1 SGB IV", "include": ["versions"]}),
)
DAYS = (None, "2025-06-01", "2020-01-01")


def list_calls(library: Library) -> Iterator[tuple[str, dict[str, Any]]]:
    """Hits, misses, pages and corrections of every tool, in both formats."""
    for form in ({}, DETAILED):
        yield from _list_lookups(form)
        yield from _list_searches(form)
        cited = (
            "§ 823 BGB",
            "BGB",
            "DSGVO",
            "§ 9999 BGB",
            "§ 15 BGB",
            "BGH VI ZR 175/22",
            "§ 4 KO",
        )
        for written in (*cited, UNREAD):
            yield "legal_find_citing_decisions", {"cited_norm": written, "limit": 100, **form}
        yield "legal_list_laws", {"limit": 500, **form}
        yield "legal_list_laws", {"source_type": "eurlex", **form}
        yield "legal_list_laws", {"changed_since": "2025-04-01", **form}
        for law in ("BGB", "DSGVO", "SGB V", "Nirgendsgesetz", "SGB", "BSIG 2009", UNREAD):
            for day in DAYS:
                asked = {"as_of": day} if day else {}
                yield "legal_get_toc", {"law_abbreviation": law, **asked, **form}
        for law in ("BGB", "Nirgendsgesetz"):
            compared = {"law_abbreviation": law, "compare_to": "2025-04-01", **form}
            yield "legal_get_toc", compared
    yield "legal_get_stats", {}
    yield "legal_lookup", {"citation": LONG, "quote": _spoil(library, LONG)}
    yield "legal_lookup", {"citation": "§ 833 BGB", "quote": _turn(library, "de/bgb/833")}
    some_of_every_court = range(0, library.decisions.count(), 100)
    for decision in library.decisions.get_by_ordinal(some_of_every_court):
        yield "legal_lookup", {"citation": decision.decision_id, **DETAILED}


def _turn(library: Library, norm_id: str) -> str:
    """Words of a text without the "nicht" among them."""
    fassung = library.store.find_fassung(norm_id)
    assert fassung is not None
    before, _, after = fassung.text.partition(" nicht ")
    return " ".join([*before.split()[-3:], "[...]", *after.split()[:6]])


def _list_lookups(form: Mapping[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    parts = ["siblings", "parents", "references_out", "references_in", "versions"]
    for citation in CITATIONS:
        for day in DAYS:
            asked = {"as_of": day} if day else {}
            yield "legal_lookup", {"citation": citation, **asked, **form}
            context = {"norm_id": citation, "include": parts, "compare_to": "2025-06-01"}
            yield "legal_get_context", {**context, **asked, **form}
        yield "legal_lookup", {"citation": citation, "max_chars": 500, **form}
        for quote in QUOTES:
            yield "legal_lookup", {"citation": citation, "quote": quote, **form}
    for first in range(0, len(CITATIONS), 20):
        some = list(CITATIONS[first : first + 20])
        for quote in QUOTES:
            asked_all = {"citations": some, "quotes": [quote] * len(some)}
            yield "legal_lookup_batch", {**asked_all, "max_chars": 3_000, **form}
            yield "legal_lookup_batch", {**asked_all, **form}
        judged = {"citations": some, "quotes": ["unbekannt"] * len(some)}
        yield "legal_lookup_batch", {**judged, "response_format": "verdict"}
    hundred = f"§§ {', '.join(map(str, range(1, 100)))} BGB"
    yield "legal_lookup_batch", {"citations": [hundred] * 10, "response_format": "verdict"}
    draft = ". ".join(f"Nach {each} gilt „{QUOTES[0]}“" for each in CITATIONS)
    yield "legal_lookup_batch", {"text": draft}
    yield "legal_lookup_batch", {"text": "§ 1 BGB, " * 200}


def _spoil(library: Library, citation: str) -> str:
    """The words of a provision, each third of them another."""
    (hit,) = resolve(library, citation, TODAY).hits
    words = hit.text[:2_000].split()[:-1]
    return " ".join(f"{word}x" if at % 3 == 0 else word for at, word in enumerate(words))[:2_000]


def _list_searches(form: Mapping[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for query in ("Verzug des Schuldners", "§ 280 BGB", "Anerkennung Vaterschaft", "weggefallen"):
        for more in ({}, {"as_of": "2025-06-01"}, {"document_kind": "decision"}):
            yield "legal_search", {"query": query, "top_k": 50, **more, **form}


def find_kinds(annotation: Any) -> Iterator[type]:
    """The kinds of record that a field holds: itself, or those of a list."""
    for inner in get_args(annotation):
        yield from find_kinds(inner)
    if is_typeddict(annotation):
        yield annotation


def list_declared(kind: type, known: dict[type, dict[str, type | None]]) -> None:
    """Every kind of record below ``kind`` with its fields, and the kind that each field holds."""
    if kind not in known:
        fields = get_type_hints(kind, include_extras=True)
        known[kind] = {name: next(find_kinds(each), None) for name, each in fields.items()}
        for inner in known[kind].values():
            if inner is not None:
                list_declared(inner, known)


def note_seen(
    value: object, kind: type | None, known: Mapping[type, Any], seen: set[tuple[type, str]]
) -> None:
    if isinstance(value, list):
        for each in value:
            note_seen(each, kind, known, seen)
    elif isinstance(value, dict) and kind is not None:
        for name, each in value.items():
            if name in known[kind]:  # the envelope is around it
                seen.add((kind, name))
                note_seen(each, known[kind][name], known, seen)


@pytest.fixture(scope="module")
def decisions_and_acts(every_source: Path) -> Library:
    store = builds.open_active(every_source)
    folder = builds.get_folder(every_source, store.manifest.release)
    index = TantivyEngine().open(folder / builds.INDEX)
    names = LawNames.build(store.statutes.values())
    return Library(store, index, names, store.decisions, sources=SOURCES)


def test_answers_and_their_declarations_have_the_same_fields(
    library: Library, decisions_and_acts: Library
) -> None:
    known: dict[type, dict[str, type | None]] = {}
    for kind in KINDS.values():
        list_declared(kind, known)
    seen: set[tuple[type, str]] = set()
    for held in (library, decisions_and_acts):  # laws of two days; decisions and EU acts
        shown = replace(held, base_url="https://law.example.org")
        ask_everything(shown, list_calls(shown), known, seen)
    ask_everything(build_dated_library(), DATED, known, seen)
    declared = {(kind, name) for kind, fields in known.items() for name in fields}
    assert sorted(f"{kind.__name__}.{name}" for kind, name in declared - seen) == []


def build_dated_library() -> Library:
    """Invented law whose source says since when it is in force, when it ends, and what followed."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    for norm_id in ("de/musterg/3", "de/musterg/8"):
        *earlier, newest = store.fassungen[norm_id]
        exact = replace(newest, in_force_from=SINCE, date_precision=DatePrecision.EXACT)
        ended = [replace(one, in_force_until=SINCE) for one in earlier]
        store.fassungen[norm_id] = (*ended, exact)
    replaced = StandNote("Sonst", "G ersetzt durch G 1-2 v. 1.2.2003 I Nr. 4 (GrundMG)")
    ends = StandNote("Aufh", "G aufgeh. durch Art. 2 G v. 1.2.2026 I Nr. 1 mWv 1.1.2027")
    laws = {key: replace(law, stand_notes=(ends, replaced)) for key, law in store.statutes.items()}
    laws["de/grundmg"] = replace(laws["de/grundmg"], first_look=SINCE)
    (first,) = store.fassungen["de/grundmg/1"]
    seen = replace(first, in_force_from=SINCE, date_precision=DatePrecision.FIRST_SEEN)
    store.fassungen["de/grundmg/1"] = (seen,)
    act = laws["de/sgb-iv"]  # of a publisher at whom nobody is known to have looked
    laws["de/sgb-iv"] = replace(act, jurisdiction="eu", source_type="eurlex")
    (newest,) = store.fassungen["de/sgb-iv/1"]
    day_before = SINCE - timedelta(days=1)  # of the last text with the old words
    older = replace(newest, in_force_until=SINCE, text_sha256="0" * 64, stand=day_before)
    store.fassungen["de/sgb-iv/1"] = (older, replace(newest, in_force_from=SINCE))
    store.statutes = laws
    store.heirs["de/musterg/3"] = ("de/musterg/8", 88)
    return library


def ask_everything(
    library: Library,
    calls: Iterable[tuple[str, dict[str, Any]]],
    known: Mapping[type, Any],
    seen: set[tuple[type, str]],
) -> None:
    tools: dict[str, Tool] = {tool.name: tool for tool in build_tools(library, lambda: TODAY)}
    closed = {
        name: jsonschema.Draft202012Validator(close(tool.output_schema or {}))
        for name, tool in tools.items()
    }
    for name, arguments in calls:
        answer = _read(tools[name].call(arguments, CONTEXT).structured)
        fault = jsonschema.exceptions.best_match(closed[name].iter_errors(answer))
        assert fault is None, (name, arguments, fault.json_path, fault.message)
        assert list(find_nulls(answer, "$")) == []
        note_seen(answer, KINDS[name], known, seen)


def _read(structured: bytes | None) -> Any:
    assert structured is not None
    return orjson.loads(structured)
