"""Quote checks: time for each place where a wording stands, beside a plain search of one law.

python -m benches.cost.quotes

Asks the build in FUNDSTELLE_DATA. The quotes have 2,000 characters, the longest that are taken,
and about 150, as people quote.
"""

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from statistics import quantiles
from typing import Any

from benches.results import write_results
from fundstelle.bootstrap.library import open_library
from fundstelle.law.norms import Level, Norm, NormKind, NormStatus
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.comparing.quotes import check_quote
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings

ROUNDS = 400
SEED = 2026
LENGTHS = (150, 2_000)


@dataclass(frozen=True, slots=True)
class Case:
    """A quote, the unit it is said to stand in and the provision it was cut from."""

    quote: str
    said: ProvisionHit
    true: ProvisionHit


class Chooser:
    """Draws provisions in force of listed laws."""

    def __init__(self, library: Library, on: date) -> None:
        self.rng = random.Random(SEED)
        self._library, self._on = library, on
        self._norms = [
            norm
            for statute in library.store.statutes.values()
            if statute.listed
            for norm in library.store.list_norms(statute.statute_id)
            if norm.kind is not NormKind.HEADING and norm.status is NormStatus.IN_FORCE
        ]

    def open(self, norm: Norm) -> ProvisionHit | None:
        fassung = self._library.store.find_fassung(norm.norm_id, self._on)
        statute = self._library.store.statutes[norm.statute_id]
        if fassung is None or not fassung.text:
            return None
        return ProvisionHit(statute, norm, fassung, norm.citation, 0, len(fassung.text))

    def draw(self, least: int) -> tuple[ProvisionHit, ProvisionHit]:
        """A provision of at least so many characters and one beside it in its law."""
        while True:
            at = self.rng.randrange(len(self._norms) - 1)
            hit, beside = map(self.open, self._norms[at : at + 2])
            if not hit or not beside or len(hit.text) <= least:
                continue
            if hit.norm.statute_id == beside.norm.statute_id:
                return hit, beside


def cut(text: str, length: int, rng: random.Random) -> str:
    start = rng.randrange(max(1, len(text) - length))
    piece = text[start : start + length]
    return piece[piece.find(" ") + 1 :].rpartition(" ")[0].strip()


def disturb(quote: str) -> str:
    return quote.replace(" ", "\u00a0").replace("-", "‑").replace("„", '"').replace("“", '"')


def drop_word(quote: str, rng: random.Random) -> str:
    words = quote.split(" ")
    del words[rng.randrange(1, len(words) - 1)]
    return " ".join(words)


def iter_cases(chooser: Chooser, stage: str, length: int) -> Iterator[Case]:
    rng = chooser.rng
    while True:
        true, beside = chooser.draw(length)
        quote = cut(true.fassung.text, length, rng)
        if quote.count(" ") < 5:
            continue
        if stage == "in the unit, normalised":
            yield Case(disturb(quote), true, true)
        elif stage == "in the same section":
            last = [s for s in true.fassung.segments if s.level is Level.ABSATZ][-1:]
            if last and quote not in true.fassung.text[last[0].start : last[0].end]:
                said = replace(true, start=last[0].start, end=last[0].end)
                yield Case(quote, said, true)
        elif stage == "in the same law":
            yield Case(quote, beside, true)
        elif stage == "in another law":
            yield Case(quote, chooser.draw(0)[0], true)
        elif stage == "in another law, normalised":
            yield Case(disturb(quote), chooser.draw(0)[0], true)
        elif stage == "nowhere: a word is missing":
            yield Case(drop_word(quote, rng), true, true)
        else:
            yield Case(quote, true, true)


STAGES = (
    "in the unit, verbatim",
    "in the unit, normalised",
    "in the same section",
    "in the same law",
    "in another law",
    "in another law, normalised",
    "nowhere: a word is missing",
)


def take_time(call: Callable[[], object]) -> float:
    """Milliseconds."""
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e3


def describe(times: Sequence[float]) -> dict[str, float]:
    points = quantiles(times, n=100)
    return {"p50_ms": round(points[49], 3), "p99_ms": round(points[98], 3)}


def measure(library: Library, chooser: Chooser, stage: str, length: int) -> dict[str, Any]:
    on = library.store.manifest.stand
    checks, finds, placed = [], [], 0
    for case, _ in zip(iter_cases(chooser, stage, length), range(ROUNDS), strict=False):
        law = "\n".join(
            fassung.text
            for norm in library.store.list_norms(case.true.norm.statute_id)
            if (fassung := library.store.find_fassung(norm.norm_id, on))
        )
        finds.append(take_time(partial(law.find, case.quote)))
        begin = time.perf_counter()
        check = check_quote(library, case.quote, case.said, on)
        checks.append((time.perf_counter() - begin) * 1e3)
        here = check.status in {"verbatim", "normalised"}
        there = {finding.norm_id for finding in check.elsewhere}
        placed += here or case.true.norm.norm_id in there or len(there) == 3
    row: dict[str, Any] = {"n": len(checks), **describe(checks), "placed": placed}
    row["plain_find_in_law"] = describe(finds)
    row["ratio_p50"] = round(row["p50_ms"] / row["plain_find_in_law"]["p50_ms"], 1)
    return row


def run() -> dict[str, Any]:
    library = open_library(Settings.from_env(os.environ))
    chooser = Chooser(library, library.store.manifest.stand)
    result: dict[str, Any] = {"release": library.store.manifest.release}
    print(f"{'':28}{'chars':>6}{'p50 ms':>9}{'p99 ms':>9}{'placed':>9}{'find p50':>10}{'ratio':>8}")
    for length in LENGTHS:
        for stage in STAGES:
            row = measure(library, chooser, stage, length)
            result.setdefault(f"{length} characters", {})[stage] = row
            print(
                f"{stage:28}{length:6}{row['p50_ms']:9.2f}{row['p99_ms']:9.2f}"
                f"{row['placed']:5}/{row['n']}{row['plain_find_in_law']['p50_ms']:10.4f}"
                f"{row['ratio_p50']:8.1f}"
            )
    print("kept in", write_results("quotes", result))
    return result


if __name__ == "__main__":
    run()
