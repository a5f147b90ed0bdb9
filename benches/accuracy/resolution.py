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
from typing import Any

from benches.accuracy import decision_text, spans
from benches.results import write_results
from fundstelle.bootstrap import open_library
from fundstelle.citations.find import find
from fundstelle.errors import NoCorpus
from fundstelle.ingest.records import ParsedDecision
from fundstelle.ingest.sources.decisions import iter_decisions
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation
from fundstelle.lookup.answers import Hit, LawHit, Miss, Outcome
from fundstelle.lookup.laws import find_german_namesake, find_statute
from fundstelle.lookup.library import Library
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


class Resolver:
    """Resolves each different citation once."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._on = library.store.manifest.stand
        self._known: dict[tuple[object, bool], tuple[str, bool, str]] = {}

    def classify(self, target: NormCitation | EuCitation, written: str) -> tuple[str, bool, str]:
        """What a citation comes to, whether its law is held, and the reason of a miss."""
        key = target, "§" in written
        if key not in self._known:
            self._known[key] = self._classify(target, written)
        return self._known[key]

    def _classify(self, target: NormCitation | EuCitation, written: str) -> tuple[str, bool, str]:
        outcomes = resolve_target(self.library, target, written, self._on)
        miss = next((one for one in outcomes if isinstance(one, Miss)), None)
        reason = miss.reason if miss is not None else ""
        if self._is_held(target, written):
            name = self._name_held(target, written, outcomes)
            return name, name != NO_TEXT, reason
        assert miss is not None
        if target.law and _LAND.search(target.law):
            return LAND, False, reason
        if isinstance(target, EuCitation):
            return "EU act not held", False, reason
        several = target.law is not None and miss.status == "ambiguous"
        return SEVERAL if several else NOT_HELD[miss.status], False, reason

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


def run_set(
    cases: Iterator[spans.Case], resolver: Resolver, misses: Misses
) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {"held": Counter(), "not held": Counter()}
    for case in cases:
        for found in find(case.text, resolver.library.names):
            for target in found.targets:
                if not isinstance(target, NormCitation | EuCitation):
                    continue
                name, held, reason = resolver.classify(target, found.text)
                counts["held" if held else "not held"][name] += 1
                if name not in {UNIT, LAW}:
                    key = name, target.law or "", target.number or ""
                    misses.add(key, case.text, found, reason)
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
        "unit_share": round((held[UNIT] + held[LAW]) / max(1, total), 4),
        "held": dict(held.most_common()),
        "not_held": dict(counts["not held"].most_common()),
    }


def report(name: str, row: dict[str, Any]) -> None:
    print(
        f"{name:10} {row['citations']:7,} citations, {row['law_held']:7,} of laws held:"
        f" resolved {row['resolved_share']:.4f}, to the unit {row['unit_share']:.4f}"
    )
    for key in ("held", "not_held"):
        print(f"    {key}: " + ", ".join(f"{k} {v:,}" for k, v in row[key].items()))


def report_misses(misses: Misses, count: int, reason: str | None) -> None:
    wanted = reason or NO_NORM
    rows = [(key, n) for key, n in misses.counts.most_common() if key[0] == wanted]
    for (name, law, number), times in rows[:count]:
        print(f"{times:5} {name}: {number} {law}\n      {misses.places[name, law, number]}")


def run(library: Library, count: int, reason: str | None) -> dict[str, Any]:
    resolver, misses = Resolver(library), Misses()
    totals: dict[str, Counter[str]] = {"held": Counter(), "not held": Counter()}
    results: dict[str, Any] = {"release": library.store.manifest.release, "bar": BAR, "sets": {}}
    for name, cases in read_sets():
        counts = run_set(cases, resolver, misses)
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
    except NoCorpus:
        print(f"left out: no corpus in {arguments.data}; build one with 'fundstelle ingest'")
        return 0
    results = run(library, arguments.misses, arguments.reason)
    print(f"kept in {write_results('resolution', results)}")
    return 0 if results["sets"]["all"]["resolved_share"] >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
