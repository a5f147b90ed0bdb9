"""The engine on the gold set and on official texts: properties that hold for real data."""

import importlib.util
import json
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
import zstandard

from fundstelle.citations.find import find
from fundstelle.citations.gold import write_target
from fundstelle.citations.laws.names import LawNames, choose_abbreviation
from fundstelle.citations.parse import parse
from fundstelle.law.citations import NormCitation

SHARED = Path(__file__).parents[4] / "shared"
GOLD = SHARED / "citations"
ARCHIVE = SHARED / "corpus" / "gii-xml.tar.zst"

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not GOLD.exists(), reason="needs ../shared/citations"),
]


def load_scorer() -> Any:
    spec = importlib.util.spec_from_file_location("score", GOLD / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLD / name).read_text(encoding="utf-8").splitlines()]


def read_laws(wanted: set[str]) -> dict[str, str]:
    """The XML of some laws of the archive by the publisher's folder."""
    laws = {}
    with ARCHIVE.open("rb") as raw:
        stream = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw)
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                parts = member.name.split("/")
                if member.name.endswith(".xml") and wanted & set(parts):
                    file = tar.extractfile(member)
                    assert file is not None
                    laws[(wanted & set(parts)).pop()] = file.read().decode("utf-8")
    return laws


def test_the_gold_set_is_read_exactly() -> None:
    scorer = load_scorer()
    wrong = []
    for case in read_lines("dev.jsonl"):
        targets = [write_target(target) for target in parse(case["input"]).targets]
        if not scorer.judge(case, targets)[0]:
            wrong.append((case["id"], case["input"]))
    assert wrong == []


def test_traps_stay_silent() -> None:
    scorer = load_scorer()
    for case in read_lines("dev.jsonl"):
        if case["category"] == "trap":
            targets = [write_target(target) for target in parse(case["input"]).targets]
            assert scorer.judge(case, targets)[0], case["input"]


def test_offsets_slice_in_sentences_of_courts() -> None:
    for case in read_lines("spans_dev.jsonl"):
        for found in find(case["text"]):
            assert case["text"][found.start : found.end] == found.text


@pytest.mark.skipif(not ARCHIVE.exists(), reason="needs ../shared/corpus")
def test_references_inside_a_law_bind_to_it() -> None:
    laws = read_laws({"bgb", "aktg"})
    names = LawNames.default()
    for slug, law in (("bgb", "BGB"), ("aktg", "AktG")):
        texts = [
            re.sub(r"<[^>]+>", " ", content)
            for content in re.findall(r"<Content>(.*?)</Content>", laws[slug], re.DOTALL)
        ]
        found = [
            one
            for text in texts
            for one in find(text, names, law)
            if any(getattr(target, "number", None) for target in one.targets)  # not a law alone
        ]
        bound = [
            one
            for one in found
            if one.inferred
            and all(isinstance(t, NormCitation) and t.law == law for t in one.targets)
        ]
        assert len(found) > 500
        assert len(bound) > 0.6 * len(found)


@pytest.mark.skipif(not ARCHIVE.exists(), reason="needs ../shared/corpus")
@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("kredwg", "KWG"),
        ("ao_1977", "AO"),
        ("sgb_5", "SGB V"),
        ("woeigg", "WEG"),
        ("bgbeg", "EGBGB"),
    ],
)
def test_the_publishers_abbreviation_becomes_the_lawyers(slug: str, expected: str) -> None:
    xml = read_laws({slug})[slug]
    juris = re.search(r"<jurabk>(.*?)</jurabk>", xml.split("</norm>")[0])
    official = re.search(r"<amtabk>(.*?)</amtabk>", xml.split("</norm>")[0])
    assert juris is not None
    assert choose_abbreviation(juris[1], official[1] if official else None, "") == expected
