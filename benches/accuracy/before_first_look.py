"""Texts given for days before the first look, against an archive that looked on those days.

python -m benches.accuracy.before_first_look --late DATA --history DATA [--pairs 200000]

``--late`` is a build of one late snapshot, ``--history`` one with the looks before it. For random
norms and days between the first look of the one and of the other, the text that the late build
gives by the notes of the law (``lookup.unchanged``) is compared with the one that was seen.
"""

import argparse
import random
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

from benches.results import write_results
from fundstelle.corpus import builds
from fundstelle.corpus.rows import NUMBERED
from fundstelle.lookup.dating.unchanged import is_unchanged

_SEED = 13


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--late", type=Path, required=True)
    parser.add_argument("--history", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=200_000)
    options = parser.parse_args()
    late, history = builds.open_active(options.late), builds.open_active(options.history)
    first = history.manifest.archive_floor
    rng = random.Random(_SEED)
    norms = [
        norm.norm_id
        for statute_id in late.statutes
        if statute_id in history.statutes and statute_id.startswith("de/")
        for norm in late.list_norms(statute_id)
        if norm.kind in NUMBERED
    ]
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for _ in range(options.pairs):
        norm_id = rng.choice(norms)
        statute = late.statutes[norm_id[: norm_id.index("/", 3)]]
        last = statute.first_look or late.manifest.archive_floor
        day = first + timedelta(days=rng.randrange((last - first).days))
        text, seen = late.find_fassung(norm_id, day), history.find_fassung(norm_id, day)
        if seen is None or day < (history.statutes[statute.statute_id].first_look or date.max):
            counts["not seen on that day"] += 1
        elif text is None or not is_unchanged(statute, text, day):
            counts["not answered"] += 1
        elif text.text_sha256 == seen.text_sha256:
            counts["right"] += 1
        else:
            counts["wrong"] += 1
            wrong[statute.statute_id] += 1
    answered = counts["right"] + counts["wrong"]
    share = counts["right"] / answered if answered else 0.0
    print(dict(counts), f"right {share:.3%} of {answered:,}", wrong.most_common(10))
    write_results("before_first_look", {**counts, "right_share": round(share, 5)})


if __name__ == "__main__":
    main()
