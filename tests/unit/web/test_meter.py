import pytest

from fundstelle.accounts.keys.cache import Principal
from fundstelle.accounts.limits.quotas import Allowance
from fundstelle.web.waiting.meter import Meter, describe


class Once:
    """Gives the same answer to every call."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance

    def take(self, _principal: Principal, _calls: int = 1) -> Allowance:
        return self._allowance

    def begin(self, _principal: Principal) -> None:
        """Nothing to wait for."""

    def give_back(self, _principal: Principal, allowance: Allowance, calls: int) -> None:
        allowance.remaining += calls


MINUTE = {"limit": 60, "remaining": 41, "reset_s": 12}
BURST = {"burst": 20, "burst_remaining": 3, "burst_reset_s": 17}
MONTH = {"month_limit": 5_000, "month_remaining": 4_990, "month_reset_s": 86_400}


@pytest.mark.parametrize(
    ("allowance", "policy", "state"),
    [
        (
            Allowance(**MINUTE, **BURST),  # type: ignore[arg-type]
            b'"burst";q=20;w=20, "minute";q=60;w=60',
            b'"burst";r=3;t=17, "minute";r=41;t=12',
        ),
        (
            Allowance(**MINUTE, **BURST, **MONTH),  # type: ignore[arg-type]
            b'"burst";q=20;w=20, "minute";q=60;w=60, "month";q=5000',
            b'"burst";r=3;t=17, "minute";r=41;t=12, "month";r=4990;t=86400',
        ),
        (
            Allowance(**MONTH),  # type: ignore[arg-type]
            b'"month";q=5000',
            b'"month";r=4990;t=86400',
        ),
    ],
)
def test_the_headers_name_each_limit_and_what_is_left(
    allowance: Allowance, policy: bytes, state: bytes
) -> None:
    assert describe(allowance) == [(b"ratelimit-policy", policy), (b"ratelimit", state)]


def test_no_limit_no_header() -> None:
    assert describe(Allowance()) == []


def test_a_request_that_counts_no_call_says_nothing() -> None:
    assert Meter(Once(Allowance(**MINUTE)), Principal("k", "k", None)).build_headers() == []  # type: ignore[arg-type]


def test_the_wait_is_whole_seconds_and_never_none() -> None:
    meter = Meter(Once(Allowance(allowed=False, retry_after_s=0.01)), Principal("k", "k", None))
    assert meter.charge() == 0.01
    assert meter.build_headers() == [(b"retry-after", b"1")]
