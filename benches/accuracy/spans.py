"""Finding citations: precision, recall and F1 against annotated spans, by kind and by set.

python -m benches.accuracy.spans [--misses N] [--set NAME]

A citation counts by overlap if it shares a character with a gold span of its kind, by exact bounds
if it begins and ends with one. Annotators and ``find`` cut the same words into units differently:
one span for a decision with its parallel citations, or for a list of sections of two laws, where
``find`` gives one citation for each. "joined" compares runs: neighbours of one kind with nothing
but punctuation, "und" or a pinpoint ("juris Rn. 12 m.w.N.") between them count as one, on both
sides, unless the units as they stand already agree.

What is found in a span of a contract, a collective agreement or an administrative rule counts
neither way: the annotators gave those kinds of their own. Anything else outside the gold is wrong,
but for laws without a section in the set that does not mark them (refex).
"""

import argparse
import json
import re
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

from benches.results import write_results
from fundstelle.citations.find import find
from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    NormCitation,
    ReporterCitation,
)

SHARED = Path(__file__).parents[3] / "shared"
SENTENCES = SHARED / "citations" / "spans_dev.jsonl"
DECISIONS = SHARED / "corpus" / "decisions.tar.zst"
STATUTE, DECISION, LITERATURE, NEUTRAL = "statutes", "decisions", "literature", "neutral"
KINDS = {
    **dict.fromkeys(("norm", "eu", "GS", "VO", "EUN", "law"), STATUTE),
    **dict.fromkeys(("decision", "RS", "case"), DECISION),
    **dict.fromkeys(("literature", "LIT"), LITERATURE),
    **dict.fromkeys(("contract", "admin_rule", "VT", "VS"), NEUTRAL),
}
JOINT = re.compile(
    r"(?:[\s,;–—()\[\]=/-]|und|sowie|oder|juris|m\.?\s?w\.?\s?N\.?|vgl\.|z\.\s?B\."
    r"|(?:Rn|Rz|Rdnr|RdNr|Tz)\.?\s?\d+(?:\s?ff?\.?)?)*"
)
CLOSING = re.compile(r"(?!\.\.)[,.;:)\]!?“»>/]+")
OPENING = frozenset("([„<«/")
# Where the tokens tear a number apart: "SozR 3 - 1500", "C - 283/81", "EU : C : 2018 : 35".
TORN = re.compile(
    r"SozR \d(?:\|-|-\|\d+)$|(?<!\w)[CT](?:\|-|-\|\d+/\d+)$"
    r"|(?:ECLI|EU|DE|:C|:\d{4}|:BVerwG):\|\w+$"
)


class Span(NamedTuple):
    """A span of one kind."""

    start: int
    end: int
    kind: str


class Case(NamedTuple):
    """A text and what it cites; ``mentions``: laws without a section are marked."""

    text: str
    gold: list[Span]
    mentions: bool = True


def read_sentences() -> Iterator[Case]:
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        spans = [Span(s["start"], s["end"], KINDS[s["kind"]]) for s in row["spans"]]
        yield Case(row["text"], spans)


def read_archive() -> dict[str, str]:
    """The files of both gold sets, by path."""
    files: dict[str, str] = {}
    with DECISIONS.open("rb") as raw:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw)
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                file = tar.extractfile(member) if "gold-citations" in member.name else None
                if file is not None:
                    files[member.name] = file.read().decode("utf-8")
    return files


def read_conll(files: dict[str, str]) -> Iterator[Case]:
    for name, content in sorted(files.items()):
        if not name.endswith(".conll"):
            continue
        for sentence in content.replace("\r", "").split("\n\n"):
            rows = [line.split(" ") for line in sentence.split("\n")]
            tokens = [(row[0], row[-1]) for row in rows if len(row) > 1]
            if tokens:
                yield join_tokens(tokens)


def join_tokens(tokens: Iterable[tuple[str, str]]) -> Case:
    """Text with the blanks a printer would set; ``i. V. m.`` keeps those of the tokens."""
    text = ""
    spans: list[Span] = []
    glue = True
    for token, tag in tokens:
        text += (
            "" if glue or TORN.search(f"{text[-12:]}|{token}") or CLOSING.fullmatch(token) else " "
        )
        start = len(text)
        text += token
        glue = token in OPENING
        kind = KINDS.get(tag[2:])
        if kind and tag.startswith("B-"):
            spans.append(Span(start, len(text), kind))
        elif kind and spans:
            spans[-1] = spans[-1]._replace(end=len(text))
    return Case(text, spans)


def read_documents(files: dict[str, str]) -> Iterator[Case]:
    by_name = {Path(name).name: content for name, content in files.items()}
    texts = {
        row["doc_id"]: row["text"] for row in map(json.loads, _lines(by_name["documents.jsonl"]))
    }
    for row in map(json.loads, _lines(by_name["annotations.jsonl"])):
        spans = [
            Span(one["span"]["start"], one["span"]["end"], KINDS[one["type"]])
            for one in row["citations"]
        ]
        yield Case(texts[row["doc_id"]], sorted(spans), mentions=False)


def _lines(content: str) -> list[str]:
    return [line for line in content.splitlines() if line.strip()]


def find_spans(text: str, *, mentions: bool = True) -> Iterator[Span]:
    for one in find(text):
        target = one.targets[0]
        if isinstance(target, NormCitation | EuCitation):
            if mentions or target.unit is not None or isinstance(target, EuCitation):
                yield Span(one.start, one.end, STATUTE)
        elif isinstance(target, DecisionCitation | ReporterCitation):
            yield Span(one.start, one.end, DECISION)


def touches(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def list_runs(text: str, spans: list[Span]) -> list[list[Span]]:
    """Neighbours with nothing but a joint between them."""
    runs: list[list[Span]] = []
    for span in spans:
        if runs and JOINT.fullmatch(text, runs[-1][-1].end, span.start):
            runs[-1].append(span)
        else:
            runs.append([span])
    return runs


def count_joined(text: str, ones: list[Span], others: list[Span]) -> int:
    """How many of ``ones`` have the bounds of one or several of ``others``, or share a unit."""
    bounds: set[tuple[int, int]] = set()
    for run in list_runs(text, others):
        for first in range(len(run)):
            bounds.update((run[first].start, last.end) for last in run[first : first + 12])
    count = 0
    for run in list_runs(text, ones):
        done = [False] * len(run)
        for first in range(len(run)):
            for last in range(first, min(len(run), first + 12)):
                if (run[first].start, run[last].end) in bounds:
                    done[first : last + 1] = [True] * (last + 1 - first)
        count += sum(done)
    return count


Tally = dict[str, Counter[str]]


def score(cases: Iterable[Case], misses: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    tally: Tally = defaultdict(Counter)
    for case in cases:
        found = list(find_spans(case.text, mentions=case.mentions))
        for kind in (STATUTE, DECISION):
            gold = [span for span in case.gold if span.kind == kind]
            ours = [span for span in found if span.kind == kind]
            compare(case, gold, ours, tally[kind], misses)
    return {kind: summarise(tally[kind]) for kind in (STATUTE, DECISION)}


def compare(
    case: Case, gold: list[Span], ours: list[Span], row: Counter[str], misses: dict[str, list[str]]
) -> None:
    """Add one text's figures of one kind to ``row``, and its errors to ``misses``."""
    exact = set(gold) & set(ours)
    others = [span for span in case.gold if span.kind not in {STATUTE, DECISION}]
    kept = []
    for span in ours:
        kinds = {other.kind for other in others if touches(span, other)}
        if any(touches(span, wanted) for wanted in gold):
            row["right"] += 1
        elif NEUTRAL in kinds:
            continue
        else:
            label = "in literature" if LITERATURE in kinds else "false"
            row[label] += 1
            note(misses, f"{label} {span.kind}", case.text, span)
        kept.append(span)
    row["found"] += len(kept)
    row["gold"] += len(gold)
    row["exact"] += len(exact)
    row["joined_found"] += count_joined(case.text, kept, gold)
    row["joined_gold"] += count_joined(case.text, gold, kept)
    for span in gold:
        near = [one for one in kept if touches(span, one)]
        row["hit"] += bool(near)
        if not near:
            note(misses, f"missed {span.kind}", case.text, span)
        elif span not in exact:
            note(misses, f"bounds {span.kind}", case.text, span, near)


def note(
    misses: dict[str, list[str]], key: str, text: str, span: Span, near: list[Span] | None = None
) -> None:
    line = (
        f"{text[max(0, span.start - 30) : span.start]}[[{text[span.start : span.end]}]]"
        f"{text[span.end : span.end + 20]}"
    )
    if near:
        line += "  <- " + " | ".join(text[one.start : one.end] for one in near)
    misses[key].append(line)


def summarise(row: Counter[str]) -> dict[str, float]:
    """Precision, recall, F1 by overlap; the same by exact bounds and by joined runs."""
    result: dict[str, float] = {"gold": row["gold"], "found": row["found"]}
    for name, right, hit in (
        ("overlap", row["right"], row["hit"]),
        ("exact", row["exact"], row["exact"]),
        ("joined", row["joined_found"], row["joined_gold"]),
    ):
        precision = right / max(1, row["found"])
        recall = hit / max(1, row["gold"])
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        result |= {f"{name}_p": precision, f"{name}_r": recall, f"{name}_f1": f1}
    result["in_literature"] = row["in literature"]
    return {key: round(value, 4) for key, value in result.items()}


def run(only: str | None, count: int) -> dict[str, Any]:
    sets: dict[str, list[Case]] = {}
    if SENTENCES.exists():
        sets["spans_dev"] = list(read_sentences())
    if DECISIONS.exists():
        files = read_archive()
        sets["ler"] = list(read_conll(files))
        sets["refex"] = list(read_documents(files))
    results: dict[str, Any] = {}
    for name, cases in sets.items():
        if only not in {None, name}:
            continue
        misses: dict[str, list[str]] = defaultdict(list)
        results[name] = score(cases, misses)
        for kind, row in results[name].items():
            print(name, kind, " ".join(f"{key}={value:g}" for key, value in row.items()))
        for key in sorted(misses) if count else ():
            print(f"\n== {name}: {key} ({len(misses[key])})")
            step = max(1, len(misses[key]) // count)
            print("\n".join(f"  {line}" for line in misses[key][::step][:count]))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description="Accuracy of found spans.")
    parser.add_argument("--misses", type=int, default=0, metavar="N")
    parser.add_argument("--set", choices=["spans_dev", "ler", "refex"])
    options = parser.parse_args()
    results = run(options.set, options.misses)
    if options.set is None:
        print("kept in", write_results("spans", results))


if __name__ == "__main__":
    main()
