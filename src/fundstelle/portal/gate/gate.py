"""The gate: for each kind of page threads, and a count of strangers."""

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from fundstelle.portal.gate.rooms import Room
from fundstelle.portal.gate.visitors import Networks, SignedIn

T = TypeVar("T")

_PAGES_OF_A_SEARCH = 4  # what a search costs, roughly
_FORMS_OF_A_PAGE = 2  # a form begins a session, which is one row


class TooMany(Exception):
    """A network has had as much as it may. ``wait_s`` = when there will be more."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Kind(Enum):
    """Whom a page may keep waiting."""

    OWN = "own"  # signing in, accounts, consent: no public page takes their threads
    READ = "read"  # a norm, a decision, the contents of a law
    SEARCH = "search"
    PROVIDER = "provider"  # what waits for the firm's identity provider, however slow it is


class Gate:
    """Says who may come in, and has their page made.

    Args:
        pages_per_minute: for each network of strangers; 0 = unlimited.
    """

    def __init__(self, pages_per_minute: int) -> None:
        self.signed_in = SignedIn()
        self.rooms = {
            Kind.READ: Room("read", threads=2, waiting=30),
            # One at a time: an index belongs to one thread.
            Kind.SEARCH: Room("search", threads=1, waiting=7),
            Kind.PROVIDER: Room("provider", threads=8, waiting=16),
        }
        self._networks = {
            Kind.READ: Networks(pages_per_minute),
            Kind.SEARCH: Networks(-(-pages_per_minute // _PAGES_OF_A_SEARCH)),
            Kind.PROVIDER: Networks(pages_per_minute),
            Kind.OWN: Networks(pages_per_minute * _FORMS_OF_A_PAGE),
        }

    def note(self, cookie: str, *, is_signed_in: bool) -> None:
        """What has turned out of a cookie: whether somebody is signed in with it."""
        if is_signed_in:
            self.signed_in.add(cookie)
        else:
            self.signed_in.discard(cookie)

    def count(self, kind: Kind, address: str) -> float | None:
        """Count a stranger's page; of the own pages, a session that a form begins for one.

        Returns:
            ``None`` if it may be had, else the seconds until one may.
        """
        return self._networks[kind].count(address)

    async def make(self, kind: Kind, page: Callable[[], T]) -> T:
        """The page, from a thread of its kind.

        Raises:
            Full: too many of its kind are waiting.
        """
        room = self.rooms.get(kind)
        return await (run_in_threadpool(page) if room is None else room.work(page))
