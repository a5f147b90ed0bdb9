"""Usage: calls a day as bars and as a table, the month against its limit, and as CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.portal.frame.pages import Pages
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.key_usage import list_expiring

DAYS = 30

_HEIGHT = 160  # of the drawing, in its own units
_STEP = 22
_BAR = 14


@dataclass(frozen=True, slots=True)
class Bar:
    """A day in the drawing."""

    day: date
    calls: int
    x: int
    y: float
    height: float


def build_routes(pages: Pages) -> list[Route]:
    """The pages of usage."""
    return [
        pages.route("/usage", show_usage),
        pages.route("/usage.csv", download_usage),
    ]


def draw(days: Sequence[tuple[date, int]]) -> list[Bar]:
    """Bars in proportion to the busiest day; a day with any call is at least visible."""
    most = max((calls for _, calls in days), default=0) or 1
    bars = []
    for place, (day, calls) in enumerate(days):
        height = max(2.0, round(_HEIGHT * calls / most, 1)) if calls else 0.0
        bars.append(Bar(day, calls, place * _STEP, _HEIGHT - height, height))
    return bars


def show_usage(visit: Visit) -> Response:
    """The last thirty days of the person's keys and apps together."""
    days = visit.services.usage.by_day(visit.person.id, DAYS)
    limits = visit.services.quotas.get_limits(visit.person)
    return visit.render(
        "usage.html",
        bars=draw(days),
        total=sum(calls for _, calls in days),
        month=visit.services.usage.calls_this_month(visit.person.id),
        limits=limits,
        expiring=list_expiring(visit),
        width=len(days) * _STEP,
        height=_HEIGHT,
        bar=_BAR,
    )


def download_usage(visit: Visit) -> Response:
    """The same figures, one line a day."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("day", "calls"))
    writer.writerows(visit.services.usage.by_day(visit.person.id, DAYS))
    headers = {"Content-Disposition": 'attachment; filename="usage.csv"'}
    return Response(out.getvalue(), media_type="text/csv", headers=headers)
