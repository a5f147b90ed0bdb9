"""Counts the calls of one request, and says in its answer what is left.

Source: IETF draft-ietf-httpapi-ratelimit-headers-09 (``RateLimit-Policy``, ``RateLimit``: lists of
structured fields, RFC 9651); RFC 9110 §10.2.3 (``Retry-After``).
"""

import asyncio
import math
from concurrent.futures import Future
from typing import Protocol

from fundstelle.accounts.keys.api_keys import Principal
from fundstelle.accounts.limits.quotas import FIRST_WAIT_S, MINUTE_S, Allowance
from fundstelle.mcp.errors import INVALID_REQUEST, ProtocolError

Header = tuple[bytes, bytes]

_POLICY = b"ratelimit-policy"
_STATE = b"ratelimit"


class Quota(Protocol):
    """Limits the calls of a seat."""

    def begin(self, principal: Principal) -> Future[None] | None:
        """What to wait for, a moment, before the seat's first call is counted."""

    def take(self, principal: Principal, calls: int = 1) -> Allowance:
        """Count calls: all of them or none."""

    def give_back(self, principal: Principal, allowance: Allowance, calls: int) -> None:
        """Uncount calls that were allowed."""


class Meter:
    """The calls of one request: one, or several in a batch; those of free methods are none."""

    __slots__ = ("_allowance", "_quota", "principal")

    def __init__(self, quota: Quota, principal: Principal) -> None:
        self._quota = quota
        self.principal = principal
        self._allowance: Allowance | None = None

    async def begin(self) -> None:
        """Before anything is counted: wait a moment for what is recorded of the seat's calls."""
        begun = self._quota.begin(self.principal)
        if begun is not None:
            await asyncio.wait([asyncio.wrap_future(begun)], timeout=FIRST_WAIT_S)

    def charge(self, calls: int = 1) -> float | None:
        """Count calls: ``None`` if they are allowed, else the seconds to wait.

        Fewer than none uncounts calls of those that were allowed.

        Raises:
            ProtocolError: so many are never allowed at once, however long one waits.
        """
        if calls < 0:
            if self._allowance is not None:
                self._quota.give_back(self.principal, self._allowance, -calls)
            return None
        self._allowance = allowance = self._quota.take(self.principal, calls)
        if allowance.allowed:
            return None
        if allowance.retry_after_s is None:
            text = f"the limits never allow {calls} calls at once: send at most {allowance.most}"
            raise ProtocolError(INVALID_REQUEST, text, {"most": allowance.most})
        return allowance.retry_after_s

    def build_headers(self) -> list[Header]:
        """What the answer says of the limits; nothing if no call was counted or none is limited."""
        allowance = self._allowance
        if allowance is None:
            return []
        headers = describe(allowance)
        if allowance.retry_after_s is not None:
            headers.append((b"retry-after", b"%d" % max(1, math.ceil(allowance.retry_after_s))))
        return headers


def describe(a: Allowance) -> list[Header]:
    """The limits that hold (q calls within w seconds) and what is left (r calls, t seconds)."""
    policies, states = [], []
    if a.limit:
        refill_s = -(-a.burst * MINUTE_S // a.limit)
        policies.append(
            b'"burst";q=%d;w=%d, "minute";q=%d;w=%d' % (a.burst, refill_s, a.limit, MINUTE_S)
        )
        states.append(
            b'"burst";r=%d;t=%d, "minute";r=%d;t=%d'
            % (a.burst_remaining, a.burst_reset_s, a.remaining, a.reset_s)
        )
    if a.month_limit:
        policies.append(b'"month";q=%d' % a.month_limit)
        states.append(b'"month";r=%d;t=%d' % (a.month_remaining, a.month_reset_s))
    if not policies:
        return []
    return [(_POLICY, b", ".join(policies)), (_STATE, b", ".join(states))]
