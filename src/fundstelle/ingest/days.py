"""Which day it is where German law is made known: its publisher puts new texts up at midnight."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

_GERMANY = ZoneInfo("Europe/Berlin")


def find_day(moment: datetime) -> date:
    """The day in Germany at a moment, which has a zone."""
    return moment.astimezone(_GERMANY).date()
