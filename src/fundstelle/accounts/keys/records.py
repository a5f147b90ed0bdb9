"""An API key as it is stored, and what its fields may hold."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from fundstelle.accounts.keys.reach import EVERYTHING, Reach
from fundstelle.errors import InvalidArgument

MAX_RATE_PER_MINUTE = 1_000_000
LONGEST_LIFE = timedelta(days=36_525)  # of a key that expires; later days are typing errors


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key. All times are in UTC.

    ``displayed`` is its beginning and end, the most that is ever shown again.
    ``rate_per_minute``: ``None`` = the server's default, 0 = unlimited.
    """

    id: str
    name: str
    displayed: str
    created: datetime
    last_used: datetime | None = None
    expires: datetime | None = None
    revoked: datetime | None = None
    rate_per_minute: int | None = None
    user_id: str | None = None  # whose key it is; ``None`` = the server's own
    client: str | None = None  # what it was made for
    replaced_by: str | None = None  # the key that a rotation made in its place
    reach: Reach = EVERYTHING


def check_rate(rate_per_minute: int | None) -> int | None:
    """The rate of a key.

    Raises:
        InvalidArgument: it is out of range.
    """
    if rate_per_minute is not None and not 0 <= rate_per_minute <= MAX_RATE_PER_MINUTE:
        raise InvalidArgument(
            f"the rate must be from 0 (unlimited) to {MAX_RATE_PER_MINUTE} a minute",
            field="rate_per_minute",
            example="600",
        )
    return rate_per_minute


def check_expiry(expires: datetime | None, now: datetime) -> datetime | None:
    """When a key ends, in UTC.

    Raises:
        InvalidArgument: that is over, or later than anybody lives.
    """
    if expires is None:
        return None
    if expires.tzinfo is None:
        raise ValueError(expires)
    if expires <= now:
        raise InvalidArgument(
            "a key must expire in the future", field="expires", example="2030-12-31"
        )
    if expires - now > LONGEST_LIFE:
        raise InvalidArgument(
            "a key that expires must do so within a hundred years",
            field="expires",
            example="2030-12-31",
        )
    return expires.astimezone(UTC)


def find_end_of(day: datetime) -> datetime:
    """The moment at which a key ends whose last day (UTC) this is.

    Raises:
        InvalidArgument: there is no later day, as after 9999-12-31.
    """
    try:
        return day.replace(tzinfo=UTC) + timedelta(days=1)
    except OverflowError:
        raise InvalidArgument(
            "a key cannot live that long", field="expires", example="2030-12-31"
        ) from None
