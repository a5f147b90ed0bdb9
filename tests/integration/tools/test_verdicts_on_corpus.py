"""Verdicts on all of federal law and its decisions say what a lookup of the same citation says."""

import random
import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.citations.laws.eu import read_communities
from fundstelle.law.norms import NormKind, NormStatus, Segment
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.settings import Settings
from fundstelle.tools import lookup, lookup_batch
from fundstelle.tools.spec import CallContext

TODAY = date(2025, 4, 1)
SUBUNIT = "subunit_does_not_exist"
EU_DAY = date(2026, 4, 29)
CITATIONS = 2_000
AT_ONCE = 50

pytestmark = pytest.mark.corpus

# What a lookup says: its status, or that of the text it found. What the verdict must then be.
AGREEING = {
    "in_force": {"ok"},
    "law": {"ok", "unclear"},
    "decision": {"ok", "wrong"},
    "void": {"void"},
    "partly_void": {"unclear"},
    "partly_incompatible": {"unclear"},
    "incompatible": {"unclear"},
    "removed": {"unclear"},
    "not_parseable": {"unclear"},
    "ambiguous": {"unclear"},
    "law_unknown": {"unclear"},
    "not_seen_yet": {"unclear"},
    "norm_does_not_exist": {"wrong"},
    "subunit_does_not_exist": {"wrong"},
    "not_yet_in_force": {"wrong"},
    "repealed": {"repealed"},
    "not_in_corpus": {"not_held"},
    "known_missing": {"not_held"},
    "outside_coverage": {"not_held"},
}


def list_citations(library: Library, count: int) -> Iterator[str]:
    """Provisions and decisions as they are cited, and such as there are none."""
    rng = random.Random(526)
    kinds = {NormKind.SECTION, NormKind.ARTICLE, NormKind.ANNEX}
    statutes = list(library.store.statutes.values())
    decisions = library.decisions.count()
    while count > 0:
        if decisions and rng.random() < 0.1:
            for decision in library.decisions.get_by_ordinal([rng.randrange(decisions)]):
                yield decision.citation
            count -= 1
            continue
        norms = library.store.list_norms(rng.choice(statutes).statute_id)
        norms = [norm for norm in norms if norm.kind in kinds]
        for norm in rng.sample(norms, min(4, len(norms))):
            sign, number = norm.citation.partition(" ")[0], norm.number
            yield norm.citation
            if sign in {"§", "Art."} and "/" not in number:
                rest = norm.citation.removeprefix(f"{sign} {number} ")
                yield f"{sign} {number} Abs. {rng.randint(1, 9)} {rest}"
                yield f"{sign} {number}z {rest}"
                count -= 2
            count -= 1


def ask(library: Library, name: str, **arguments: object) -> dict[str, object]:
    tool = {"one": lookup, "many": lookup_batch}[name].build_tool(library, lambda: TODAY)
    answer = tool.call(arguments, CallContext("test", "test"))
    parsed: dict[str, object] = orjson.loads(answer.structured or b"")
    return parsed


def read_status(answer: dict[str, object]) -> set[str]:
    """What a lookup says of all that is cited."""
    misses = answer.get("misses") or ([] if answer["found"] else [answer])
    norms = answer.get("norms") or [answer[key] for key in ("norm",) if key in answer]
    found = {str(each.get("status", "decision")) for each in norms}  # type: ignore[attr-defined]
    return found | {str(each["status"]) for each in misses} or {"law"}  # type: ignore[attr-defined]


def test_a_verdict_says_what_a_lookup_says(whole: Library) -> None:
    citations = list(dict.fromkeys(list_citations(whole, CITATIONS)))
    wrong = []
    for at in range(0, len(citations), AT_ONCE):
        some = citations[at : at + AT_ONCE]
        rows = ask(whole, "many", citations=some, response_format="verdict")["results"]
        for written, row in zip(some, rows, strict=True):  # type: ignore[call-overload]
            said = read_status(ask(whole, "one", citation=written))
            allowed = set().union(*(AGREEING[each] for each in said))
            if row["verdict"] not in allowed:
                wrong.append((written, row["verdict"], said))

    assert len(citations) >= CITATIONS // 2
    assert wrong == []


@pytest.mark.parametrize("behind", ["ff.", "bis {last}"])
def test_what_only_lies_behind_a_provision_decides_nothing(whole: Library, behind: str) -> None:
    rng = random.Random(311)
    laws = [each for each in whole.store.statutes.values() if each.norm_count > 60 and each.listed]
    right, found = 0, []
    for law in rng.sample(laws, 40):
        norms = [
            norm
            for norm in whole.store.list_norms(law.statute_id, NormKind.SECTION)
            if norm.number.isdecimal()
            and (fassung := whole.store.find_fassung(norm.norm_id, TODAY)) is not None
            and fassung.status is NormStatus.IN_FORCE
        ]
        held = norms[:-1:5]
        last = norms[-1].number if norms else ""
        cited = [f"§§ {norm.number} {behind.format(last=last)} {law.abbreviation}" for norm in held]
        for at in range(0, len(cited), AT_ONCE):
            some = cited[at : at + AT_ONCE]
            rows = ask(whole, "many", citations=some, response_format="verdict")["results"]
            assert isinstance(rows, list)
            right += sum(row["verdict"] == "ok" for row in rows)
            found += [row for row in rows if row["verdict"] in {"wrong", "repealed"}]

    assert right > 300
    assert found == []


def test_a_draft_has_the_verdicts_of_its_citations(whole: Library) -> None:
    rng = random.Random(527)
    citations = list(dict.fromkeys(list_citations(whole, 600)))
    rng.shuffle(citations)
    wrong: list[object] = []
    found = 0
    for at in range(0, len(citations), AT_ONCE):
        some = citations[at : at + AT_ONCE]
        draft = "\n\n".join(f"Das folgt aus {each}, wie die Klägerin meint." for each in some)
        alone = ask(whole, "many", citations=some, response_format="verdict")["results"]
        rows = ask(whole, "many", text=draft)["results"]
        by_place = {row["start"]: row for row in rows}  # type: ignore[attr-defined]
        for written, expected in zip(some, alone, strict=True):  # type: ignore[call-overload]
            row = by_place.get(draft.index(f"aus {written},") + len("aus "))
            if row is None or row["citation"] != written:
                continue  # read as another stretch of the text; how much is counted below
            found += 1
            assert draft[row["start"] : row["end"]] == written
            same = ("verdict", "norm_id", "correct")
            if [row.get(key) for key in same] != [expected.get(key) for key in same]:
                wrong.append((row, expected))

    assert found >= 0.9 * len(citations)
    assert wrong == []


def test_a_letter_that_is_written_out_is_not_judged_on_the_number_beside(whole: Library) -> None:
    """Of every Nr. 4 without letters that has a Nr. 4a beside it."""
    checked = 0
    wrong: list[object] = []
    for _, norm, fassung in whole.store.iter_norms():
        if norm.kind not in {NormKind.SECTION, NormKind.ARTICLE} or "/" in norm.number:
            continue
        for number, joined in _list_joined(fassung.segments):
            path = format_steps(get_steps(fassung.segments, number))
            law = whole.store.statutes[norm.statute_id].abbreviation
            written = insert_path(norm.citation, f"{path} Buchst. {joined}", law)
            resolution = resolve(whole, written, TODAY)
            checked += 1
            has_letter = any("Buchst." in hit.citation for hit in resolution.hits)
            if judge(whole, resolution).verdict == "ok" and not has_letter:
                wrong.append(written)
    assert checked > 1_000
    assert wrong == []


def _list_joined(parts: Sequence[Segment]) -> Iterator[tuple[int, str]]:
    """Every Nummer that has no letters, with that of the number beside it."""
    named = {(part.parent, part.value): at for at, part in enumerate(parts) if part.level == "nr"}
    lettered = {part.parent for part in parts if part.level == "buchst"}
    for parent, value in named:
        plain = named.get((parent, value[:-1]))
        if value[-1:].islower() and plain is not None and plain not in lettered:
            yield plain, value[-1]


def test_a_decision_of_a_day_that_is_not_held_is_unclear(every_source: Path) -> None:
    """Of every decision whose citation names court, day and Aktenzeichen.

    Under one Aktenzeichen a court decides more than once.
    """
    whole = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    checked = 0
    wrong: list[object] = []
    for ordinal in range(whole.decisions.count()):
        [decision] = whole.decisions.get_by_ordinal([ordinal])
        day = decision.issued_on
        if day is None or f"{day:%d.%m.%Y}" not in decision.citation or day.day > 27:
            continue
        if "Gutachten" in decision.citation:  # of a number the Court gives one opinion
            continue
        own = resolve(whole, decision.citation, TODAY)
        if not own.targets or judge(whole, own).verdict != "ok":
            continue  # not read by the grammar, but known by its whole citation
        other = decision.citation.replace(f"{day:%d.%m.%Y}", f"{day:28.%m.%Y}")
        verdict = judge(whole, resolve(whole, other, TODAY))
        checked += 1
        if verdict.verdict != "unclear" or f"{day.isoformat()}" not in (verdict.why or ""):
            wrong.append((other, verdict.verdict, verdict.why))
    assert checked > 100
    assert wrong == []


def test_an_annex_is_right_with_the_section_of_its_heading_alone(whole: Library) -> None:
    """Of every annex that is headed "(zu § …)"."""
    checked = 0
    wrong: list[tuple[str, ...]] = []
    for _, norm, _ in whole.store.iter_norms():
        law = whole.store.statutes[norm.statute_id].abbreviation
        heading = re.match(r"\((zu (?:den )?§[^)]*)\)", norm.title or "")
        if norm.kind is not NormKind.ANNEX or heading is None:
            continue
        annex = norm.citation.removesuffix(f" {law}")
        denied = judge(whole, resolve(whole, f"{annex} zu § 9999 {law}", TODAY))
        own = resolve(whole, norm.citation, TODAY)
        if judge(whole, own).verdict != "ok" or len(own.targets) != 1:
            continue
        if getattr(own.hits[0], "norm", norm).title != norm.title:
            continue  # headed otherwise on that day
        checked += 1
        said = judge(whole, resolve(whole, f"{annex} {heading[1]} {law}", TODAY))
        # "zu § 4 16. BImSchV": the number is the law's; of lists of sections not all can be read
        one = re.fullmatch(r"zu § \d+\w*(?: (?:Abs\.|Absatz|Nr\.|Nummer|Satz) \d+)*", heading[1])
        lost = one and law[0].isdigit() and said.norm_id != norm.norm_id
        if denied.verdict == "ok" or " is no annex " in said.why or lost:
            wrong.append((norm.citation, heading[1], denied.verdict, said.verdict, said.why))
    assert checked > 2_000
    assert [each for each in wrong if "Anlage BeschV" not in each] == []  # two, one repealed


def test_an_act_of_another_community_is_corrected_and_its_own_is_not(every_source: Path) -> None:
    """By the title of every EU act that is held."""
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    checked = 0
    for statute in library.store.statutes.values():
        is_numbered = statute.statute_id.startswith("eu/3")
        celex = statute.statute_id.removeprefix("eu/").partition(":")[0]
        own = read_communities(statute.title, celex) if is_numbered else frozenset()
        for community in ("EWG", "EG", "EU") if own else ():
            written = f"Richtlinie {int(celex[1:5])}/{int(celex[6:])}/{community}"
            if celex[5] != "L":
                written = f"Verordnung ({community}) {int(celex[1:5])}/{int(celex[6:])}"
            verdict = judge(library, resolve(library, written, EU_DAY))
            checked += 1
            assert verdict.norm_id == statute.statute_id.partition(":")[0], written
            assert (verdict.correct is None) == (community in own), written
            assert bool(verdict.why) == (community not in own), written
    assert checked > 60
    library.index.close()
    library.store.close()


def test_a_number_behind_the_section_is_the_annex_s_where_the_section_has_none(
    whole: Library,
) -> None:
    """Of every Anhang that is headed with one section and counts its parts: "zu § 3 Nr. 5"."""
    checked = 0
    wrong: list[tuple[str, str]] = []
    for _, norm, fassung in whole.store.iter_norms():
        law = whole.store.statutes[norm.statute_id].abbreviation
        heading = re.match(r"\((zu § \d+[a-z]?(?: Abs(?:\.|atz) \d+)?)\)", norm.title or "")
        annex = norm.citation.removesuffix(f" {law}")
        if norm.kind is not NormKind.ANNEX or heading is None:
            continue
        tops = {each.value for each in fassung.segments if each.level == "nr" and each.parent < 0}
        for value in sorted(tops & {"1", "9"}):
            section = resolve(whole, f"{heading[1].removeprefix('zu ')} Nr. {value} {law}", TODAY)
            own = resolve(whole, f"{annex} Nr. {value} {law}", TODAY)
            if section.hits or len(own.hits) != 1 or section.misses[0].status != SUBUNIT:
                continue
            told = resolve(whole, f"{annex} {heading[1]} Nr. {value} {law}", TODAY)
            checked += bool(told.hits)
            if told.hits and told.hits[0].citation != own.hits[0].citation:
                wrong.append((norm.citation, value))
    assert checked > 5
    assert wrong == []
