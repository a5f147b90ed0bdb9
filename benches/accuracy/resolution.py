"""How many of the statute citations that ``find`` reads lead to a provision held, and why not all.

python -m benches.accuracy.resolution [--data FOLDER] [--misses N] [--reason NAME]

Every citation goes through the code that answers ``legal_lookup``, read for the Stand of the build.
A citation counts as resolved if its law is held and the norm is: with its text, or as a number
that is kept though the provision is repealed. Of the resolved, "unit" are those whose Absatz, Satz
or Nummer is cut out too; courts cite the text of their day, and parts have moved since. Citations
of laws that are not held, or of which the publisher gives only the head (treaties), are counted by
what they are, outside the share.
"""

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from benches.accuracy import decision_text, spans
from benches.results import write_results
from fundstelle.bootstrap.library import open_library
from fundstelle.citations.find import find
from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.errors import NoCorpus
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.ingest.records import ParsedDecision
from fundstelle.ingest.sources.courts.adapters import iter_decisions
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation
from fundstelle.lookup.answers import Hit, LawHit, Miss, Outcome
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.laws import find_german_namesake, find_statute
from fundstelle.lookup.resolve import resolve_target
from fundstelle.settings import Settings

BAR = 0.99
SHOWN_CHARS = 90  # of the text on either side of a miss

# Of a law that is held.
UNIT, LAW, REPEALED, MOVED = "unit", "law as a whole", "repealed", "part not in today's text"
NO_NORM = "no such provision today"
RESOLVED = (UNIT, LAW, REPEALED, MOVED)
# Of one that is not.
LAND, SEVERAL, NO_TEXT = "law of a Land", "several laws", "only the head of the law held"
NOT_HELD = {
    "repealed": "law repealed",
    "outside_coverage": "law repealed",
    "known_missing": "missing in the source",
    "law_unknown": "no known law",
    "not_in_corpus": "known, not held",
    "ambiguous": "no law named",
    "not_parseable": "no law named",
}
_LAND = re.compile(
    r"^(?:L(?:[A-Z]|andes)|Bay|Bbg|Brandenburg|Berl|Bln|Brem|Hmb|Hamburg|Hess|Nds|Sächs|Saarl|Thür"
    r"|S?[HIU]?UIG|AIG$|GO$|KAG$|KV M)"
    r"|(?:^| |-|/)(?:NRW|NW|BW|BB|BE|Bln|HB|HE|HH|MV|M-V|Nds|RP|SH|SL|SN|LSA|ST|TH|Berlin|Bremen"
    r"|Hamburg|Hessen|Sachsen|Thüringen|Saarland|Bayern|Nordrhein-Westfalen)(?:$|[ .])"
)


def read_decisions() -> Iterator[spans.Case]:
    for parsed in iter_decisions(decision_text.read_archive()):
        if isinstance(parsed, ParsedDecision):
            yield spans.Case(parsed.text.text, [])


def read_sets() -> Iterator[tuple[str, Iterator[spans.Case]]]:
    yield "spans_dev", spans.read_sentences()
    files = spans.read_archive()
    yield "ler", spans.read_conll(files)
    yield "refex", spans.read_documents(files)
    yield "decisions", read_decisions()


@dataclass
class Misses:
    """What leads nowhere, by law and number, with the first place it was seen."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    places: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def add(self, key: tuple[str, str, str], text: str, found: FoundCitation, reason: str) -> None:
        self.counts[key] += 1
        if key not in self.places:
            before = text[max(0, found.start - SHOWN_CHARS) : found.start]
            after = text[found.end : found.end + SHOWN_CHARS]
            sentence = " ".join(f"{before}[[{found.text}]]{after}".split())
            self.places[key] = f"{sentence}\n      {reason}"


class Verdict(NamedTuple):
    """What a citation comes to; ``linked``: the graph of a build would have an edge for it."""

    name: str
    held: bool  # its law is
    reason: str  # of a miss
    linked: bool


class Judge:
    """Resolves each different citation once."""

    def __init__(self, library: Library, store: WholeStore) -> None:
        self.library = library
        self._on = library.store.manifest.stand
        self._graph = Resolver(store)
        self._known: dict[tuple[object, bool], Verdict] = {}

    def judge(self, target: NormCitation | EuCitation, written: str) -> Verdict:
        key = target, "§" in written
        if key not in self._known:
            outcomes = resolve_target(self.library, target, written, self._on)
            misses = [one for one in outcomes if isinstance(one, Miss)]
            reason = misses[0].reason if misses else ""
            if self._is_held(target, written):
                name = self._name_held(target, written, outcomes)
                verdict = Verdict(name, name != NO_TEXT, reason, self._is_linked(target))
            else:
                name = name_not_held(target, misses[0])
                verdict = Verdict(name, held=False, reason=reason, linked=False)
            self._known[key] = verdict
        return self._known[key]

    def _is_linked(self, target: NormCitation | EuCitation) -> bool:
        if isinstance(target, NormCitation):
            edges = self._graph.resolve(target)
        else:
            edges = self._graph.resolve_eu(target)
        return any(edge is not None for edge in edges)

    def _name_held(
        self, target: NormCitation | EuCitation, written: str, outcomes: Sequence[Outcome]
    ) -> str:
        """An older text ("a.F.") counts as repealed if the law still has the number."""
        if target.version != "aF":
            return name_held(outcomes)
        today = resolve_target(self.library, replace(target, version=None), written, self._on)
        return REPEALED if name_held(today) in RESOLVED else NO_NORM

    def _is_held(self, target: NormCitation | EuCitation, written: str) -> bool:
        if isinstance(target, NormCitation):
            return not isinstance(find_statute(self.library, written, target), Miss)
        held = f"eu/{target.celex}" in self.library.store.statutes
        return held or find_german_namesake(self.library, written, target) is not None


def name_not_held(target: NormCitation | EuCitation, miss: Miss) -> str:
    if target.law and _LAND.search(target.law):
        return LAND
    if isinstance(target, EuCitation):
        return "EU act not held"
    several = target.law is not None and miss.status == "ambiguous"
    return SEVERAL if several else NOT_HELD[miss.status]


def name_held(outcomes: Sequence[Outcome]) -> str:
    """The best that the provisions meant come to: of a range, one text is enough."""
    if any(isinstance(one, Hit) for one in outcomes):
        return UNIT
    if any(isinstance(one, LawHit) for one in outcomes):
        return LAW
    statuses = {one.status for one in outcomes if isinstance(one, Miss)}
    if "subunit_does_not_exist" in statuses:
        return MOVED
    if statuses & {"repealed", "not_yet_in_force"}:
        return REPEALED
    return NO_TEXT if statuses & {"not_in_corpus", "outside_coverage"} else NO_NORM


def run_set(cases: Iterator[spans.Case], judge: Judge, misses: Misses) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {key: Counter() for key in ("held", "not held", "linked")}
    for case in cases:
        for found in find(case.text, judge.library.names):
            for target in found.targets:
                if not isinstance(target, NormCitation | EuCitation):
                    continue
                verdict = judge.judge(target, found.text)
                counts["held" if verdict.held else "not held"][verdict.name] += 1
                counts["linked"][verdict.name] += verdict.linked and verdict.name in RESOLVED
                if verdict.name not in {UNIT, LAW}:
                    key = verdict.name, target.law or "", target.number or ""
                    misses.add(key, case.text, found, verdict.reason)
    return counts


def summarise(counts: dict[str, Counter[str]]) -> dict[str, Any]:
    held = counts["held"]
    total = held.total()
    resolved = sum(held[name] for name in RESOLVED)
    return {
        "citations": total + counts["not held"].total(),
        "law_held": total,
        "resolved": resolved,
        "resolved_share": round(resolved / max(1, total), 4),
        "linked_share": round(counts["linked"].total() / max(1, resolved), 4),
        "unit_share": round((held[UNIT] + held[LAW]) / max(1, total), 4),
        "held": dict(held.most_common()),
        "not_held": dict(counts["not held"].most_common()),
    }


def report(name: str, row: dict[str, Any]) -> None:
    print(
        f"{name:10} {row['citations']:7,} citations, {row['law_held']:7,} of laws held:"
        f" resolved {row['resolved_share']:.4f}, to the unit {row['unit_share']:.4f};"
        f" of the resolved, edges of the graph {row['linked_share']:.4f}"
    )
    for key in ("held", "not_held"):
        print(f"    {key}: " + ", ".join(f"{k} {v:,}" for k, v in row[key].items()))


def report_misses(misses: Misses, count: int, reason: str | None) -> None:
    wanted = reason or NO_NORM
    rows = [(key, n) for key, n in misses.counts.most_common() if key[0] == wanted]
    for (name, law, number), times in rows[:count]:
        print(f"{times:5} {name}: {number} {law}\n      {misses.places[name, law, number]}")


def count_edges(library: Library) -> dict[str, Any]:
    """What the build's graph holds: edges of norms, and of decisions by what they cite."""
    manifest, decisions = library.store.manifest, library.decisions
    kinds: Counter[str] = Counter()
    resolved: Counter[str] = Counter()
    for decision in decisions.get_by_ordinal(range(decisions.count())):
        for one in decisions.list_citations(decision.decision_id):
            kinds[one.kind.value] += 1
            resolved[one.kind.value] += one.cited_id is not None
    edges = {kind: {"edges": kinds[kind], "resolved": resolved[kind]} for kind in sorted(kinds)}
    return {"norms": manifest.references, "decisions": edges}


def run(library: Library, store: WholeStore, count: int, reason: str | None) -> Any:
    judge, misses = Judge(library, store), Misses()
    totals: dict[str, Counter[str]] = {key: Counter() for key in ("held", "not held", "linked")}
    results: dict[str, Any] = {"release": library.store.manifest.release, "bar": BAR, "sets": {}}
    results["graph"] = count_edges(library)
    print("graph:", results["graph"])
    for name, cases in read_sets():
        counts = run_set(cases, judge, misses)
        for key, counted in counts.items():
            totals[key] += counted
        results["sets"][name] = summarise(counts)
        report(name, results["sets"][name])
    results["sets"]["all"] = summarise(totals)
    report("all", results["sets"]["all"])
    print(f"bar: resolved {BAR}")
    report_misses(misses, count, reason)
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    held = os.environ.get("FUNDSTELLE_DATA", "data")
    parser.add_argument("--data", default=held)
    parser.add_argument("--misses", type=int, default=20, metavar="N")
    parser.add_argument("--reason", help="show the misses of this reason only")
    arguments = parser.parse_args()
    try:
        library = open_library(Settings.from_env({"FUNDSTELLE_DATA": arguments.data}))
        store = builds.open_active(Path(arguments.data))
    except NoCorpus:
        print(f"left out: no corpus in {arguments.data}; build one with 'fundstelle ingest'")
        return 0
    results = run(library, store, arguments.misses, arguments.reason)
    print(f"kept in {write_results('resolution', results)}")
    return 0 if results["sets"]["all"]["resolved_share"] >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
