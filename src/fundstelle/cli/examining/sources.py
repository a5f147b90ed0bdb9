"""How old the law is that is answered from, and whether updates get through."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from fundstelle.cli.examining.findings import Finding
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.updates import Report, add_report

_UPDATE = "run 'fundstelle update' every day (up --update-daily, or a timer: docs/operations.md)"
_CLOCKS_DIFFER = timedelta(minutes=2)
_NOT_UPDATED = timedelta(days=2)


def examine_sources(
    now: datetime,
    manifest: Manifest,
    report: Report | None,
    most_days: int,
    *,
    is_damaged: bool = False,
) -> Iterator[Finding]:
    """Whether the corpus is of these days, and what stands in the way of it.

    Args:
        now: UTC.
        manifest: of the live build.
        report: of the last update.
        most_days: how old the Stand may be.
        is_damaged: there is a report of the last update, and it cannot be read.
    """
    if manifest.demonstration:
        yield Finding.wrong(
            "sources",
            "the corpus is the invented demonstration: kein geltendes Recht",
            "fundstelle ingest --source FOLDER|ARCHIVE|URL, or 'fundstelle ingest' where the"
            " official site can be reached",
        )
        return
    age = (now.date() - manifest.stand).days
    stand = f"the Stand is {manifest.stand.isoformat()}, {age} days ago"
    if age > most_days:
        yield Finding.wrong("sources", f"{stand}: later changes are missing", _UPDATE)
    else:
        yield Finding.ok("sources", stand)
    for source in add_report(manifest, report).sources:
        if source.problem:
            yield Finding.wrong(
                "sources",
                f"{source.name} could not be brought up to date and is of"
                f" {source.stand.isoformat()}: {source.problem}",
                "see to what it says, then 'fundstelle update'",
            )
        else:
            yield Finding.ok("sources", f"{source.name} is of {source.stand.isoformat()}")
    if is_damaged:
        yield Finding.wrong("sources", "updates.json in the data folder cannot be read", _UPDATE)
    else:
        yield from _examine_updates(now, report)


def _examine_updates(now: datetime, report: Report | None) -> Iterator[Finding]:
    if report is None:
        yield Finding.note("sources", "no update was ever run on this folder", _UPDATE)
        return
    begun = f"the last update began at {report.begun_at:%Y-%m-%d %H:%M} UTC"
    documents = sum(one.count_problems() for one in report.outcomes)
    if report.begun_at - now > _CLOCKS_DIFFER:
        yield Finding.wrong("sources", f"{begun}, still to come: a clock was wrong", _UPDATE)
    elif now - report.begun_at > _NOT_UPDATED:
        yield Finding.wrong("sources", begun, _UPDATE)
    elif documents:
        yield Finding.note(
            "sources",
            f"{begun} and could not bring {documents:,} documents up to date",
            "updates.json in the data folder names them; the next update asks again",
        )
    else:
        yield Finding.ok("sources", begun)
