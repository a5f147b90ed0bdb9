"""Five years of versions of some laws: on every day the text that the publisher showed on it.

Which text that was is read here from the archive alone, with another parser and a walk of its own
(``test_nothing_is_lost``), and knows nothing of the code under test.
"""

import random
import tarfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard

from fundstelle.bootstrap.library import open_library
from fundstelle.ingest.sources.by_hand import find_history, find_snapshots
from fundstelle.law.norms import Fassung, Norm, NormKind, NormStatus
from fundstelle.lookup.context.changes import compare
from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchRequest
from fundstelle.search.words.german import find_words
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.corpora.building import build
from tests.integration.corpora.gii_archive import CORPUS, skip_without_archive
from tests.integration.corpora.plain_law import bare, read_norms
from tests.support.once import build_once

HISTORY = CORPUS.parent / "history"
ARCHIVE = HISTORY / "gii-xml-history.tar.zst"
Ask = Callable[..., dict[str, Any]]
DETAILED = {"response_format": "detailed"}
Said = dict[str, tuple[str, str | None]]
LAWS = (
    *("gg", "burlg", "ifsg", "uwg_2004", "gvg", "urhg", "kschg", "bdsg_2018", "tkg_2021", "milov4"),
    *("netzdg", "mutzulv", "betrkv", "bnotk", "vwgo", "asylvfg_1992"),
)
PAIRS = 2_000
WORDS = 60  # of former texts that are searched for
TODAY = date(2025, 3, 31)
MOST_COMPARED = 500  # provisions of a law

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def versions() -> dict[str, dict[date, dict[str, str]]]:
    """Of each law by day the words of its norms, by the number that the publisher gives them."""
    skip_without_archive(ARCHIVE)
    found: dict[str, dict[date, dict[str, str]]] = defaultdict(dict)
    with (
        zstandard.ZstdDecompressor().stream_reader(ARCHIVE.open("rb")) as stream,
        tarfile.open(fileobj=stream, mode="r|") as packed,
    ):
        for member in packed:
            slug, _, rest = member.name.partition("/")
            if slug in LAWS and (file := packed.extractfile(member)):
                day = date.fromisoformat(rest[-len("2022-01-01.xml") : -len(".xml")])
                found[slug][day] = dict(read_norms(file.read()))
    return found


@pytest.fixture(scope="module")
def some_laws(
    tmp_path_factory: pytest.TempPathFactory, versions: dict[str, object]
) -> Iterator[Library]:
    def fill(folder: Path) -> None:
        laws = find_snapshots(CORPUS / "gii-xml.tar.zst")
        build(folder, [*laws, *find_history(HISTORY)], laws=tuple(versions), engine=TantivyEngine())

    data = build_once(tmp_path_factory, "some-histories", fill)
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    yield library
    library.index.close()
    library.store.close()


def list_looks(library: Library) -> list[date]:
    states = [s for source in library.store.manifest.sources for s in source.snapshots]
    return [state.stand for state in states]


def test_on_every_day_the_text_is_the_one_that_the_last_look_before_it_showed(
    some_laws: Library, versions: dict[str, dict[date, dict[str, str]]]
) -> None:
    """Over random pairs of a provision and a day."""
    rng = random.Random(2021)
    statutes = {one.slug: one for one in some_laws.store.statutes.values()}
    counts: Counter[str] = Counter()
    wrong = []
    while sum(counts.values()) < PAIRS:
        slug = rng.choice(list(versions))
        statute, texts = statutes[slug], versions[slug]
        norm = rng.choice(some_laws.store.list_norms(statute.statute_id))
        first = min(texts)
        day = first + timedelta(days=rng.randrange((date(2025, 3, 26) - first).days))
        shown = texts[max(seen for seen in texts if seen <= day)]
        held = some_laws.store.find_fassung(norm.norm_id, day)
        wanted = shown.get(norm.publisher_id)
        if wanted is None:
            # another number of the publisher's may stand for it, but never for other words
            ok = held is None or bare(held.text) in shown.values()
            counts["not there" if held is None else "renumbered"] += 1
        else:
            ok = held is not None and bare(held.text) == wanted
            counts["text"] += 1
        if not ok:
            wrong.append((norm.norm_id, day, held and held.text[:60], wanted and wanted[:60]))
    print(counts)  # noqa: T201 a report
    assert counts["text"] > PAIRS / 2
    assert wrong == []


def test_every_text_of_every_version_is_held_for_its_day(
    some_laws: Library, versions: dict[str, dict[date, dict[str, str]]]
) -> None:
    statutes = {one.slug: one for one in some_laws.store.statutes.values()}
    asked = 0
    lost = []
    for slug, texts in versions.items():
        norms = some_laws.store.list_norms(statutes[slug].statute_id)
        for day, shown in texts.items():
            held = {
                bare(fassung.text)
                for norm in norms
                if (fassung := some_laws.store.find_fassung(norm.norm_id, day)) is not None
            }
            asked += len(shown)
            lost += [(slug, day, text[:60]) for text in shown.values() if text and text not in held]
    assert asked > 20_000
    assert not lost, lost


def test_a_text_is_seen_on_looks_alone_and_never_after_another_one(some_laws: Library) -> None:
    looks = set(list_looks(some_laws))
    for statute_id in some_laws.store.statutes:
        for norm in some_laws.store.list_norms(statute_id):
            heads = some_laws.store.list_fassungen(norm.norm_id)
            for older, newer in pairwise(heads):
                assert older.in_force_until is not None
                assert newer.in_force_from is not None
                assert older.stand < older.in_force_until <= newer.in_force_from
            assert {head.stand for head in heads} <= looks
            if heads and norm.kind is not NormKind.HEADING:
                gone = heads[-1].in_force_until is not None
                assert not gone or norm.status is NormStatus.REPEALED


def ask_of(library: Library) -> Ask:
    built = build_registry(library, today=lambda: TODAY, base_url="").tools
    tools = {tool.name: tool for tool in built}

    def ask(name: str, **arguments: Any) -> dict[str, Any]:
        called = tools[name].call({**arguments, **DETAILED}, CallContext("", ""))
        answer: dict[str, Any] = orjson.loads(called.structured or b"{}")
        return answer

    return ask


def list_changes(ask: Ask, law: str, on: date, other: date) -> dict[str, dict[str, Any]]:
    """The rows of a comparison by their ids, from all its pages."""
    rows: dict[str, dict[str, Any]] = {}
    days = {"as_of": on.isoformat(), "compare_to": other.isoformat()}
    while True:
        asked = {"law_abbreviation": law, "offset": len(rows), "limit": 500, **days}
        page = ask("legal_get_toc", **asked)
        rows |= {row["norm_id"]: row for row in page["toc"]}
        if not page["has_more"]:
            return rows


def look_up(ask: Ask, norms: Iterable[Norm], on: date) -> Said:
    """What a lookup gives of each provision: the hash of its text and its heading."""
    said = {}
    for norm in norms:
        found = ask("legal_lookup", citation=norm.norm_id, as_of=on.isoformat()).get("norm", {})
        if found.get("norm_id") == norm.norm_id:  # and no other of the same designation
            said[norm.norm_id] = found["provenance"]["text_sha256"], found.get("title")
    return said


def name_change(norm_id: str, older: Said, newer: Said) -> str | None:
    if norm_id in older and norm_id in newer:
        return None if older[norm_id] == newer[norm_id] else "changed"
    if norm_id in older:
        return "repealed"
    return "new" if norm_id in newer else None


def check_changes(
    norms: Iterable[Norm], rows: Mapping[str, dict[str, Any]], older: Said, newer: Said
) -> Iterator[str]:
    """The kind of each provision; what moved is told once, where its words stand now."""
    left = {row["was_norm_id"] for row in rows.values() if "was" in row} - newer.keys()
    for norm in norms:
        row = rows.get(norm.norm_id, {})
        kind = row.get("change")
        if kind == "renumbered":
            assert older[row["was_norm_id"]][0] == newer[norm.norm_id][0]
        elif norm.norm_id in left:
            assert kind is None
        elif norm.kind is not NormKind.HEADING:
            assert kind == name_change(norm.norm_id, older, newer), norm.norm_id
        yield kind or "as before"


def test_what_changed_in_a_law_is_what_lookups_on_both_days_say(some_laws: Library) -> None:
    """Of all provisions of a law, on two days: both ways, and however the days are given."""
    ask, rng = ask_of(some_laws), random.Random(1949)
    counts: Counter[str] = Counter()
    for statute in some_laws.store.statutes.values():
        first, norms = statute.first_look, some_laws.store.list_norms(statute.statute_id)
        if first is None or len(norms) > MOST_COMPARED or first >= statute.stand:
            continue
        span = range((statute.stand - first).days + 1)
        days = [first + timedelta(days=each) for each in sorted(rng.sample(span, 2))]
        rows = list_changes(ask, statute.statute_id, *days)
        assert rows == list_changes(ask, statute.statute_id, *days[::-1])
        for row in rows.values():
            came = date.fromisoformat(row.get("seen") or row["valid_from"])
            assert days[0] < came <= days[1]
        older, newer = (look_up(ask, norms, day) for day in days)
        counts.update(check_changes(norms, rows, older, newer))
    print(counts)  # noqa: T201 a report
    assert all(counts[kind] for kind in ("changed", "new", "repealed", "as before"))


def list_new_states(library: Library, law: str, first: date, last: date) -> set[str]:
    """The numbers of the provisions that began or ended on a day of a period, but with the law."""
    found = set()
    begun = library.store.statutes[law].first_look
    for norm in library.store.list_norms(law):
        heads = library.store.list_fassungen(norm.norm_id)
        days = {head.in_force_from for head in heads} | {head.in_force_until for head in heads}
        if norm.kind is not NormKind.HEADING and any(
            day is not None and day != begun and first <= day <= last for day in days
        ):
            found.add(norm.number)
    return found


def test_a_period_lists_the_laws_and_sections_that_became_others_in_it(some_laws: Library) -> None:
    ask, rng = ask_of(some_laws), random.Random(2005)
    named = 0
    for _ in range(10):
        first, last = sorted(date(2021, 12, 1) + timedelta(rng.randrange(1_300)) for _ in range(2))
        asked = {"changed_since": first.isoformat(), "changed_until": last.isoformat()}
        laws = {law["norm_id"]: law for law in ask("legal_list_laws", **asked)["laws"]}
        for law in some_laws.store.statutes:
            wanted = list_new_states(some_laws, law, first, last)
            changed = laws.get(law, {}).get("changed", {})
            sections = changed.get("sections", [])
            assert changed.get("count", len(sections)) == len(wanted)
            assert wanted.issuperset(sections)
            named += len(sections)
    assert named > 500


def leave(text: str, blocks: Iterable[str]) -> Counter[str]:
    """The lines of a text without those of the blocks, each of which stands whole in it."""
    left = Counter(filter(None, text.split("\n")))
    for block in blocks:
        assert f"\n{block}\n" in f"\n{text}\n"
        left.subtract(filter(None, block.split("\n")))
    assert min(left.values(), default=0) >= 0
    return +left


def iter_successive(library: Library, law: str) -> Iterator[tuple[Fassung, Fassung]]:
    """The texts of each provision of a law with the one that took their place."""
    for norm in library.store.list_norms(law):
        heads = library.store.list_fassungen(norm.norm_id)
        days = [head.in_force_from or date(2021, 12, 28) for head in heads]
        held = [library.store.find_fassung(norm.norm_id, day) for day in days]
        yield from pairwise(filter(None, held))


def test_a_difference_is_whole_on_both_sides_and_nothing_else_differs(some_laws: Library) -> None:
    """Without the Absätze that differ, two texts that follow each other are the same."""
    counts: Counter[str] = Counter()
    for law in some_laws.store.statutes:
        for older, newer in iter_successive(some_laws, law):
            found = compare(older, newer)
            counts["cut short"] += found.total > len(found.changes)
            if found.total == len(found.changes):
                before = [each.before for each in found.changes if each.before]
                after = [each.after for each in found.changes if each.after]
                assert leave(older.text, before) == leave(newer.text, after)
            for change in found.changes:
                counts[change.kind] += 1
                counts["word by word"] += bool(change.words)
                assert all(each.before in change.before for each in change.words)
                assert all(each.after in change.after for each in change.words)
    print(counts)  # noqa: T201 a report
    assert counts["word by word"] > 200


def test_a_search_of_a_day_finds_what_the_texts_of_that_day_say_and_nothing_else(
    some_laws: Library,
) -> None:
    """Over random former texts: a word of each, on a day on which it held."""
    rng = random.Random(1827)
    store = some_laws.store
    norms = [norm for _, norm, _ in store.iter_norms() if norm.kind is not NormKind.HEADING]
    ended = [
        (norm, head)
        for norm in norms
        for head in store.list_fassungen(norm.norm_id)
        if head.in_force_until is not None and head.status is NormStatus.IN_FORCE
    ]
    asked, wrong = 0, []
    for norm, head in rng.sample(ended, WORDS):
        assert head.in_force_until is not None
        day = head.in_force_until - timedelta(days=1)
        then = store.find_fassung(norm.norm_id, day)
        words = sorted({word for word in find_words(then.text if then else "") if len(word) > 8})
        if not words:
            continue
        word = rng.choice(words)
        said = {other.norm_id: find_texts_of(some_laws, other, day) for other in norms}
        holding = {norm_id for norm_id, text in said.items() if word in find_words(text)}
        request = SearchRequest(word, limit=len(norms), as_of=int(f"{day:%Y%m%d}"))
        hits = some_laws.index.search(request).hits
        found = {store.get_norms_by_ordinal([hit.ordinal])[0].norm_id for hit in hits}
        asked += 1
        if norm.norm_id not in found or not holding <= found:
            wrong.append((word, day, "not found", sorted(holding - found)))
        if empty := [norm_id for norm_id in found if not said[norm_id]]:
            wrong.append((word, day, "found without a text", empty))
    assert asked > WORDS * 0.9
    assert wrong == []


def find_texts_of(library: Library, norm: Norm, day: date) -> str:
    """The words of a norm on a day, empty if it had none."""
    fassung = library.store.find_fassung(norm.norm_id, day)
    if fassung is None or fassung.status is not NormStatus.IN_FORCE:
        return ""
    return fassung.text
