"""The clock, by which days of law, keys and sign-ins are judged."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from fundstelle.cli.examining.findings import Finding
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.updates import Report
from fundstelle.net.client import GuardedClient, NoAnswer, Reach

_APART = timedelta(minutes=2)  # codes of authenticator apps are taken half a minute off
_REMEDY = "set it by NTP (systemctl enable --now systemd-timesyncd)"


def examine_clock(
    now: datetime,
    manifest: Manifest | None,
    report: Report | None,
    client: GuardedClient,
    site: tuple[str, Reach] | None,
) -> Iterator[Finding]:
    """Whether the clock is behind what this folder has seen, or apart from a publisher's.

    Args:
        now: what this machine's clock says, UTC.
        manifest: of the live build.
        report: of the last update.
        client: asks the publisher.
        site: the publisher's address and where it may lead; ``None`` = nobody is asked.
    """
    seen = [each for each in (manifest and manifest.built_at, report and report.begun_at) if each]
    latest = max(seen, default=now)
    if latest - now > _APART:
        yield Finding.wrong(
            "clock",
            f"it is {now:%Y-%m-%d %H:%M} UTC by this machine's clock, and the corpus was built or"
            f" updated at {latest:%Y-%m-%d %H:%M}, still to come",
            f"if that is wrong, {_REMEDY}; if it is right, the clock was wrong then, and the next"
            " update says a time that has come",
        )
        return
    if site is None:
        yield Finding.ok("clock", "it is not behind the last build and update (nobody was asked)")
        return
    yield _compare(now, _ask_time(client, *site), site[0])


def _compare(now: datetime, theirs: datetime | None, url: str) -> Finding:
    if theirs is None:
        return Finding.note(
            "clock",
            f"{url} was asked for the time and did not say",
            "without a way out use --offline; else see whether a firewall holds it up, since"
            " updates ask there too",
        )
    apart = abs(now - theirs)
    if apart > _APART:
        return Finding.wrong(
            "clock", f"it is {round(apart.total_seconds()):,} s apart from {url}'s", _REMEDY
        )
    return Finding.ok("clock", f"it agrees with {url}'s")


def _ask_time(client: GuardedClient, url: str, reach: Reach) -> datetime | None:
    """What a server's clock says (RFC 9110, 6.6.1), ``None`` if it does not."""
    try:
        told = parsedate_to_datetime(client.ask(f"{url}/", reach, headers={}).headers["date"])
    except (NoAnswer, KeyError, ValueError):
        return None
    return told if told.tzinfo else told.replace(tzinfo=UTC)
