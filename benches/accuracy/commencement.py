"""What is known of the day on which each text came into force, counted over a whole build.

FUNDSTELLE_DATA=DATA python -m benches.accuracy.commencement

Texts that replaced another one or came to a law are counted apart from those that a law was first
seen with. A text of which no day is told has between two looks appeared, and how far these lie
apart is counted; that says when the publisher changed it, and nothing of its commencement.
"""

import os
from collections import Counter
from pathlib import Path

from benches.results import write_results
from fundstelle.bootstrap.library import open_library
from fundstelle.corpus.rows import NUMBERED
from fundstelle.lookup.dating.days import Days, add_commencement, describe_days
from fundstelle.settings import Settings

_WEEK, _MONTHS = 9, 70  # days between two looks: a week with its holidays, the longest pause


def main() -> None:
    data = Path(os.environ["FUNDSTELLE_DATA"])
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    counts: Counter[str] = Counter()
    for statute in library.store.statutes.values():
        if statute.jurisdiction != "de":
            continue
        for norm in library.store.list_norms(statute.statute_id):
            if norm.kind not in NUMBERED:
                continue
            heads = library.store.list_fassungen(norm.norm_id)
            described = describe_days(library.store.manifest, statute, heads)
            for place, days in enumerate(described):
                told = add_commencement(library, statute, days) if len(heads) == 1 else days
                is_change = place > 0 or days.not_seen_before is not None
                counts[f"{'change' if is_change else 'first text'}: {_classify(told)}"] += 1
    for name, count in sorted(counts.items()):
        print(f"{count:8,}  {name}")
    write_results("commencement", dict(sorted(counts.items())))


def _classify(days: Days) -> str:
    if days.valid_from is not None:
        return f"exact day, {days.basis}"
    if days.first_seen is None or days.not_seen_before is None:
        return "only seen by then"
    apart = (days.first_seen - days.not_seen_before).days
    if apart <= _WEEK:
        return "between looks a week apart"
    return (
        "between looks up to 70 days apart" if apart <= _MONTHS else "between looks further apart"
    )


if __name__ == "__main__":
    main()
