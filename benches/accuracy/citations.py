"""Citations: accuracy by category, spans in court sentences, speed of finding.

python -m benches.accuracy.citations
"""

import importlib.util
import json
import re
import tarfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import zstandard

from benches.accuracy import citation_peers
from benches.results import write_results
from fundstelle.citations.find import find
from fundstelle.citations.gold import write_target
from fundstelle.citations.parse import parse

SHARED = Path(__file__).parents[3] / "shared"
GOLD = SHARED / "citations"
DECISIONS = SHARED / "corpus" / "decisions.tar.zst"
DECISION_CHARS = 3_000_000
STATUTES = SHARED / "corpus" / "gii-xml.tar.zst"
SAMPLE_CHARS = 6_000_000
KINDS = {"norm", "eu", "decision"}
NORMS = {"simple", "deep", "roman", "list", "range", "ivm", "sgb", "lawname", "version", "annex"}


def load_scorer() -> Any:
    spec = importlib.util.spec_from_file_location("score", GOLD / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLD / name).read_text(encoding="utf-8").splitlines()]


def score_strings() -> dict[str, dict[str, float]]:
    """Exact and section rate per category, as the scorer of the set counts them."""
    scorer = load_scorer()
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for case in read_lines("dev.jsonl"):
        targets = [write_target(target) for target in parse(case["input"]).targets]
        exact, section = scorer.judge(case, targets)
        groups = {case["category"], "TOTAL"} | ({"NORMS"} if case["category"] in NORMS else set())
        for group in groups:
            row = tally[group]
            row[0] += 1
            row[1] += exact
            row[2] += section
        if not exact:
            print("wrong:", case["id"], case["input"])
    return {
        group: {"n": n, "exact": round(exact / n, 4), "section": round(section / n, 4)}
        for group, (n, exact, section) in sorted(tally.items())
    }


def score_spans() -> dict[str, float]:
    """Recall and precision by overlap; found in a span of another kind counts neither way."""
    gold = hit = exact = pinpoint = pinpoint_hit = right = wrong = other = 0
    for case in read_lines("spans_dev.jsonl"):
        found = find(case["text"])
        wanted = [span for span in case["spans"] if span["kind"] in KINDS]
        for span in wanted:
            touched = any(f.start < span["end"] and span["start"] < f.end for f in found)
            gold += 1
            hit += touched
            exact += any((f.start, f.end) == (span["start"], span["end"]) for f in found)
            if span["pinpoint"] is not False:
                pinpoint += 1
                pinpoint_hit += touched
        for one in found:
            kinds = {
                span["kind"]
                for span in case["spans"]
                if one.start < span["end"] and span["start"] < one.end
            }
            right += bool(kinds & KINDS)
            wrong += not kinds
            other += bool(kinds) and not kinds & KINDS
    return {
        "spans": gold,
        "recall": round(hit / gold, 4),
        "recall_pinpoint": round(pinpoint_hit / pinpoint, 4),
        "precision": round(right / (right + wrong), 4),
        "precision_other_kinds_wrong": round(right / (right + wrong + other), 4),
        "exact_bounds": round(exact / gold, 4),
    }


def sample_statutes() -> list[str]:
    """Texts of the first laws of the archive, about six million characters."""
    texts: list[str] = []
    length = 0
    with STATUTES.open("rb") as raw:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw)
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                file = tar.extractfile(member) if member.name.endswith(".xml") else None
                if file is None:
                    continue
                xml = file.read().decode("utf-8", "replace")
                for content in re.findall(r"<Content>(.*?)</Content>", xml, re.DOTALL):
                    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", content))
                    texts.append(text)
                    length += len(text)
                if length > SAMPLE_CHARS:
                    break
    return texts


def sample_decisions() -> list[str]:
    """Whole decisions as their publishers print them, about three million characters."""
    texts: list[str] = []
    length = 0
    with DECISIONS.open("rb") as raw:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw)
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                folder = member.name.removeprefix("./").partition("/")[0]
                file = tar.extractfile(member) if folder in {"ifg-text", "fulltext-plain"} else None
                if file is None:
                    continue
                texts.append(file.read().decode("utf-8", "replace"))
                length += len(texts[-1])
                if length > DECISION_CHARS:
                    break
    return texts


def measure_find(texts: list[str], law: str | None) -> dict[str, float]:
    """Megabytes of UTF-8 per second of one core."""
    size = sum(len(text.encode()) for text in texts)
    begin = time.process_time()
    count = sum(len(find(text, law=law)) for text in texts)
    seconds = time.process_time() - begin
    return {
        "mb": round(size / 1e6, 2),
        "citations": count,
        "mb_per_s": round(size / 1e6 / seconds, 2),
    }


def measure_parse() -> dict[str, float]:
    inputs = [case["input"] for case in read_lines("dev.jsonl")]
    times = []
    for _ in range(5):
        for text in inputs:
            begin = time.perf_counter()
            parse(text)
            times.append((time.perf_counter() - begin) * 1e6)
    return {"median_us": round(median(times), 1), "p99_us": round(quantiles(times, n=100)[98], 1)}


def score_invented() -> int:
    """Targets given where the set says that nothing may be found."""
    silent = [case for case in read_lines("dev.jsonl") if not case["expected"]]
    return sum(len(parse(case["input"]).targets) for case in silent)


def score_finds(sentences: list[dict[str, Any]], found: list[list[tuple[int, int]]]) -> Any:
    """Recall and precision by overlap of the spans that a peer found."""
    gold = hit = right = total = 0
    for case, spans in zip(sentences, found, strict=True):
        wanted = [span for span in case["spans"] if span["kind"] in KINDS]
        gold += len(wanted)
        total += len(spans)
        hit += sum(any(a < w["end"] and w["start"] < b for a, b in spans) for w in wanted)
        right += sum(any(a < w["end"] and w["start"] < b for w in wanted) for a, b in spans)
    return {"recall": round(hit / gold, 4), "precision": round(right / max(total, 1), 4)}


def compare_with_peers(texts: list[str], ours: dict[str, float]) -> dict[str, Any]:
    """The peers on the same strings, sentences and decisions in the same run."""
    cases, sentences = read_lines("dev.jsonl"), read_lines("spans_dev.jsonl")
    answer = citation_peers.ask(cases, [case["text"] for case in sentences], texts)
    judge = load_scorer().judge
    size = sum(len(text.encode()) for text in texts)
    speed = size / 1e6 / answer["refex_seconds"]
    spans = [[(one["start"], one["end"]) for one in found] for found in answer["sentences"]]
    return {
        "bundesrecht": citation_peers.score(
            cases, answer["bundesrecht"], citation_peers.read_canonical, judge
        ),
        "legal-reference-extraction": citation_peers.score(
            cases, answer["refex"], citation_peers.read_found, judge
        ),
        "spans": score_finds(sentences, spans),
        "mb_per_s": round(speed, 3),
        "ours_per_peer": round(ours["mb_per_s"] / speed, 2),
    }


Reader = Callable[[dict[str, Any]], float]
BARS: tuple[tuple[str, Reader, float], ...] = (
    ("dev exact", lambda r: r["strings"]["TOTAL"]["exact"], 0.98),
    ("dev section", lambda r: r["strings"]["TOTAL"]["section"], 0.99),
    ("norms exact", lambda r: r["strings"]["NORMS"]["exact"], 0.99),
    ("spans recall", lambda r: r["spans"]["recall"], 0.97),
    ("spans precision", lambda r: r["spans"]["precision"], 0.98),
    ("MB/s on decisions", lambda r: r["speed"]["decisions"]["mb_per_s"], 5.0),
    ("times the peer", lambda r: r["peers"]["ours_per_peer"], 4.0),
    ("parse median us", lambda r: -r["speed"]["parse"]["median_us"], -50.0),
    ("parse p99 us", lambda r: -r["speed"]["parse"]["p99_us"], -1000.0),
    ("invented targets", lambda r: -r["invented"], 0),
)


def print_bars(result: dict[str, Any]) -> None:
    for name, read, bar in BARS:
        try:
            value = read(result)
        except KeyError:
            continue
        verdict = "ok" if value >= bar else "MISSED"
        print(f"{name:18} {abs(value):9.4g}  bar {abs(bar):6.4g}  {verdict}")


def run() -> dict[str, Any]:
    strings = score_strings()
    spans = score_spans()
    print("spans", spans)
    sentences = [case["text"] for case in read_lines("spans_dev.jsonl")]
    speed: dict[str, Any] = {"parse": measure_parse(), "sentences": measure_find(sentences, None)}
    result: dict[str, Any] = {
        "strings": strings,
        "spans": spans,
        "invented": score_invented(),
        "speed": speed,
    }
    if STATUTES.exists():
        speed["statutes"] = measure_find(sample_statutes(), "BGB")
    if DECISIONS.exists():
        texts = sample_decisions()
        speed["decisions"] = measure_find(texts, None)
        result["peers"] = compare_with_peers(texts, speed["decisions"])
    print("speed", speed)
    print_table(strings, result.get("peers", {}))
    print_bars(result)
    print("kept in", write_results("citations", result))
    return result


def print_table(strings: dict[str, dict[str, float]], peers: dict[str, Any]) -> None:
    """Ours beside the peers, exact and by section."""
    for group, row in strings.items():
        line = f"{group:12} n={row['n']:4} exact={row['exact']:7.1%} section={row['section']:7.1%}"
        for name in ("bundesrecht", "legal-reference-extraction"):
            peer = peers.get(name, {}).get(group)
            line += f"  {name}: {peer['exact']:6.1%} {peer['section']:6.1%}" if peer else ""
        print(line)
    if peers:
        print("legal-reference-extraction: spans", peers["spans"], f"{peers['mb_per_s']} MB/s")


if __name__ == "__main__":
    run()
