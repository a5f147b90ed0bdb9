"""Whether rephrasings keep what is promised of them.

python -m benches.accuracy.rephrasings [--data FOLDER]

``rephrasings.jsonl`` holds 60 questions on federal law, each with a good rephrasing (in the words
of a statute), a useless one (that says nothing of the matter) and a wrong one (a good one of
another question). Two things are promised: what any rephrasing has first is on page one, and a
good one never lowers the norm that answers by more than two places. Both are counted, and MRR@10,
which says what they are worth.
"""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.results import write_results
from fundstelle.bootstrap.library import build_engine, open_library
from fundstelle.cli.evaluation.questions import Gold, read_questions
from fundstelle.corpus import builds
from fundstelle.search.index import SearchIndex, SearchRequest
from fundstelle.settings import Settings

FILE = Path(__file__).with_name("rephrasings.jsonl")
KINDS = ("good", "useless", "wrong")
SETS = (
    *((kind,) for kind in KINDS),
    ("good", "useless"),
    ("good", "wrong"),
    ("useless", "wrong"),
    KINDS,
)
PAGE = 10
MOST = 2  # places that the norm which answers may fall


@dataclass(frozen=True, slots=True)
class Rephrased:
    """A question, the ordinals that answer it, and its rephrasings by kind."""

    query: str
    relevant: frozenset[int]
    rephrasings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Places from 0 of the norm that answers, ``None`` behind page one; what was buried."""

    alone: int | None
    together: int | None
    fell: int  # places that it fell, 0 if it rose or was on no page
    buried: int  # rephrasings whose first hit is not on page one


def iter_rephrased(gold_of: Any, file: Path = FILE) -> Iterator[Rephrased]:
    """The questions of the file; ``gold_of`` gives the ordinals that answer one."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for question, row in zip(read_questions(file), rows, strict=True):
        relevant = frozenset[int]().union(*gold_of(question))
        yield Rephrased(question.query, relevant, {kind: row[kind] for kind in KINDS})


def ask(index: SearchIndex, query: str, rephrasings: Sequence[str] = ()) -> list[int]:
    """The ordinals of three pages."""
    request = SearchRequest(query, tuple(rephrasings), limit=3 * PAGE)
    return [hit.ordinal for hit in index.search(request).hits]


def compare(index: SearchIndex, one: Rephrased, kinds: Sequence[str]) -> Outcome:
    """A question alone and with rephrasings of some kinds."""
    texts = [one.rephrasings[kind] for kind in kinds]
    alone, together = ask(index, one.query), ask(index, one.query, texts)
    own = next((hit for hit in alone[:PAGE] if hit in one.relevant), None)
    fell = 0
    if own is not None:
        place = together.index(own) if own in together else len(together)
        fell = max(place - alone.index(own), 0)
    firsts = [hits[0] for hits in (ask(index, text) for text in texts) if hits]
    buried = sum(first not in together[:PAGE] for first in firsts)
    return Outcome(_find(alone, one), _find(together, one), fell, buried)


def _find(hits: Sequence[int], one: Rephrased) -> int | None:
    return next((place for place, hit in enumerate(hits[:PAGE]) if hit in one.relevant), None)


def describe(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Both promises counted, and what the rephrasings are worth."""
    count = max(len(outcomes), 1)
    return {
        "questions": len(outcomes),
        "alone MRR@10": round(sum(_score(one.alone) for one in outcomes) / count, 3),
        "together MRR@10": round(sum(_score(one.together) for one in outcomes) / count, 3),
        "fell by more than two": sum(one.fell > MOST for one in outcomes),
        "fell most": max((one.fell for one in outcomes), default=0),
        "firsts behind page one": sum(one.buried for one in outcomes),
    }


def _score(place: int | None) -> float:
    return 0.0 if place is None else 1 / (place + 1)


def run(data: Path, folder: Path | None = None) -> dict[str, Any]:
    """All sets of rephrasings on the live build, or on another index of it."""
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    gold = Gold(library, read_questions(FILE))
    release = library.store.manifest.release
    index = build_engine().open(folder or builds.get_folder(data, release) / builds.INDEX)
    asked = list(iter_rephrased(gold.find))
    results: dict[str, Any] = {"release": release}
    for kinds in SETS:
        name = " + ".join(kinds)
        results[name] = describe([compare(index, one, kinds) for one in asked])
        print(f"{name:24} {results[name]}")
    index.close()
    return results


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    held = Path(os.environ.get("FUNDSTELLE_DATA", "data"))
    parser.add_argument("--data", type=Path, default=held)
    print("kept in", write_results("rephrasings", run(parser.parse_args().data)))
