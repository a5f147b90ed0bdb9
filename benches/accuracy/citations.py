"""Citations: accuracy by category, spans in court sentences, speed of finding.

python -m benches.accuracy.citations
"""

import importlib.util
import json
import re
import tarfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import zstandard

from benches.results import write_results
from fundstelle.citations.find import find
from fundstelle.citations.gold import write_target
from fundstelle.citations.parse import parse

SHARED = Path(__file__).parents[3] / "shared"
GOLD = SHARED / "citations"
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


def run() -> dict[str, Any]:
    strings = score_strings()
    for group, row in strings.items():
        print(f"{group:12} n={row['n']:4} exact={row['exact']:7.1%} section={row['section']:7.1%}")
    spans = score_spans()
    print("spans", spans)
    sentences = [case["text"] for case in read_lines("spans_dev.jsonl")]
    speed: dict[str, Any] = {"parse": measure_parse(), "decisions": measure_find(sentences, None)}
    if STATUTES.exists():
        speed["statutes"] = measure_find(sample_statutes(), "BGB")
    print("speed", speed)
    result = {"strings": strings, "spans": spans, "speed": speed}
    print("kept in", write_results("citations", result))
    return result


if __name__ == "__main__":
    run()
