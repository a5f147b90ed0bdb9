"""How many changes of federal law come with an act that parliament's record could date.

python -m benches.accuracy.acts_named [--every 1]

Over the archive of ``../shared/history``: of the texts that a look showed to be new, with how many
the notes of the law name acts for the first time, and how many of these are in the
Bundesgesetzblatt with a page or number. There is no network here, and so no record: in its place
stands what the publisher itself had announced of the same act at that law ("mWv 1.1.2025 noch
nicht berücksichtigt"), one day and nothing else, to try the join against the notes at norms.
"""

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from tests.integration.corpora.gii_archive import CORPUS
from tests.integration.corpora.past_site import EarlierFiles

from benches.results import write_results
from fundstelle.ingest.build.workers import SnapshotPlace, read_headers
from fundstelle.ingest.history.acts import read_act
from fundstelle.ingest.history.commencing import (
    Commencement,
    Promulgation,
    Records,
    find_day,
    is_borne_out,
)
from fundstelle.ingest.history.identity import History
from fundstelle.ingest.history.looks import LawHistory, spool_history
from fundstelle.ingest.history.plan import PlannedStatute, plan
from fundstelle.ingest.history.versions import State, merge
from fundstelle.ingest.sources.gii.parse import parse_statute
from fundstelle.law.norms import DatePrecision, NormKind, Statute

ARCHIVE = CORPUS.parent / "history" / "gii-xml-history.tar.zst"
_ANNOUNCED = re.compile(
    r"Änderung durch (?P<act>Art\.? ?\d[^()]* [A-Z]\w* v\. [\d. ]+ I{1,3} (?:Nr\. )?\d+)"
    r"(?: \(Nr\. \d+\))? mWv (?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4}) noch nicht"
)


def read_announced(statutes: Sequence[Statute]) -> Records:
    """What the publisher announced of acts at one law, as if it were parliament's record."""
    days: dict[tuple[date, str], set[date]] = {}
    for statute in statutes:
        for note in statute.stand_notes:
            found = _ANNOUNCED.search(note.text)
            act = read_act(" ".join(found["act"].split())) if found else None
            if found is not None and act is not None:
                day = date(int(found["year"]), int(found["month"]), int(found["day"]))
                days.setdefault((act.issued_on, act.place), set()).add(day)
    return {
        key: Promulgation((Commencement(named.pop()),))
        for key, named in days.items()
        if len(named) == 1
    }


def count(histories: Sequence[History], announced: Records, counts: Counter[str]) -> None:
    """Add the changes of one law."""
    for norm, fassungen in histories:
        if norm.kind is NormKind.HEADING:
            continue
        for one in fassungen:
            if one.in_force_from is None:
                continue
            counts["changes"] += 1
            is_noted = one.date_precision is DatePrecision.EXACT
            counts["dated by the note at the norm"] += is_noted
            if one.enactment is None:
                counts["no act newly named"] += 1
                continue
            acts = one.enactment.acts
            kinds = "one act" if len(acts) == 1 else "several acts"
            counts[f"{kinds} newly named"] += 1
            gesetz = all(re.search(r"(?:^| )G v\.", act) for act in acts)
            counts["all of them of parliament (G)"] += gesetz
            counts["all of parliament, and not dated by a note"] += gesetz and not is_noted
            said = find_day(announced, acts)
            if said is None:
                continue
            if is_noted:
                same = said == one.in_force_from
                counts[f"announced day {'is' if same else 'is not'} that of the note"] += 1
            elif is_borne_out(replace(one.enactment, said=said)):
                counts["announced day would be borne out"] += 1


def read_law(
    planned: PlannedStatute, places: Sequence[SnapshotPlace], counts: Counter[str]
) -> None:
    statutes: list[Statute] = []

    def iter_states() -> "list[State]":
        states = []
        for version in planned.versions:
            place = places[version.snapshot]
            with place.spool.open("rb") as spool:
                file = version.file.read(spool)
            try:
                parsed = parse_statute(file, planned.statute_id, planned.abbreviation, place.day)
            except Exception:  # noqa: BLE001 as a build leaves it out
                counts["files that cannot be read"] += 1
                continue
            statutes.append(parsed.statute)
            states.append(State(parsed, version.last_seen))
        return states

    first_seen = planned.versions[0].first_seen
    merged = merge(iter_states(), first_seen=first_seen, listed=planned.listed)
    if merged is not None:
        count(merged[1], read_announced(statutes), counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=1, help="of so many laws one")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        files = LawHistory(EarlierFiles(ARCHIVE, date.max))
        looks = spool_history(files, Path(folder) / "spool", (), lambda _count: None)
        candidates = [
            one
            for number, look in enumerate(looks)
            for one in read_headers(number, look.spool, look.files)[0]
        ]
        laws, _ = plan(looks, candidates)
        changed = [law for law in laws if len(law.versions) > 1 or law.versions[0].first_seen]
        changed = changed[:: options.every]
        places = [SnapshotPlace(look.spool, look.day) for look in looks]
        for number, law in enumerate(changed):
            read_law(law, places, counts)
            if not number % 50:
                print(number, len(changed), dict(counts), flush=True)
    print(dict(counts))
    write_results("acts_named", {"laws": len(changed), "every": options.every, **counts})


if __name__ == "__main__":
    main()
