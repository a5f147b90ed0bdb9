"""The gate: for each kind of page threads, and a count of strangers."""

import time
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from fundstelle.accounts.limits.places import Places
from fundstelle.accounts.limits.token_buckets import TokenBuckets
from fundstelle.net.networks import find_neighbourhood
from fundstelle.portal.gate.rooms import Room
from fundstelle.portal.gate.visitors import SignedIn

T = TypeVar("T")

_PAGES_OF_A_SEARCH = 4  # what a search costs, roughly
_PAGES_OF_A_CHECK = 12  # what the check of a draft costs, at most
_FORMS_AT_ONCE = 60
_OWN_PAGES = 1_000
_OWN_OF_A_SENDER = 12
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
    CHECK = "check"  # the citations of a draft
    PROVIDER = "provider"  # what waits for the firm's identity provider, however slow it is


_OF_A_PAGE_S = 0.1
_A_PAGE_S = {  # of the processor, that a page of a kind may take and count as one
    Kind.READ: _OF_A_PAGE_S,
    Kind.SEARCH: _OF_A_PAGE_S * _PAGES_OF_A_SEARCH,
    Kind.CHECK: _OF_A_PAGE_S * _PAGES_OF_A_CHECK,
}


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
            # It borrows the index of the searches: one of them waits for one check at most.
            Kind.CHECK: Room("check", threads=1, waiting=5),
            Kind.PROVIDER: Room("provider", threads=8, waiting=16),
        }
        # These have the framework's threads. A password that is checked holds one, too; those who
        # check have places of their own beside these.
        self.own = Places(_OWN_PAGES, _OWN_OF_A_SENDER)
        self._forms = TokenBuckets(pages_per_minute, _FORMS_AT_ONCE)
        # In the memory of each worker: it bounds what strangers can make this process compute, and
        # is no quota.
        self._strangers = {
            Kind.READ: _limit_strangers(pages_per_minute),
            Kind.SEARCH: _limit_strangers(-(-pages_per_minute // _PAGES_OF_A_SEARCH)),
            Kind.CHECK: _limit_strangers(-(-pages_per_minute // _PAGES_OF_A_CHECK)),
            Kind.PROVIDER: _limit_strangers(pages_per_minute),
            Kind.OWN: _limit_strangers(pages_per_minute * _FORMS_OF_A_PAGE),
        }

    def note(self, cookie: str, person: str | None) -> None:
        """What has turned out of a cookie: who is signed in with it, if anybody is."""
        if person is not None:
            self.signed_in.add(cookie, person)
        else:
            self.signed_in.discard(cookie)

    def take(self, kind: Kind, address: str) -> float | None:
        """Count a stranger's page; of the own pages, a session that a form begins for one.

        Returns:
            ``None`` if it may be had, else the seconds until one may.
        """
        return self._strangers[kind].take(find_neighbourhood(address))

    def look(self, kind: Kind, address: str) -> float | None:
        """As ``take``, without counting."""
        return self._strangers[kind].look(find_neighbourhood(address))

    def take_form(self, person: str) -> float | None:
        """Count a form of somebody who is signed in; the seconds to wait if it is one too many."""
        return self._forms.take(person)

    async def make(
        self, kind: Kind, page: Callable[[], T], sender: str, *, is_stranger: bool = False
    ) -> T:
        """The page, from a thread of its kind.

        Args:
            kind: whose threads.
            page: makes it.
            sender: the person who asks, or the network of a stranger.
            is_stranger: a page that takes more of the processor than its kind does on the whole is
                counted as several.

        Raises:
            Full: too many of its kind are waiting, or too many of this sender.
        """
        room = self.rooms.get(kind)
        if room is not None:
            if is_stranger and kind in _A_PAGE_S:
                page = partial(self._make_and_count, kind, page, sender)
            return await room.work(page, sender)
        with self.own.hold(sender):
            return await run_in_threadpool(page)

    def _make_and_count(self, kind: Kind, page: Callable[[], T], network: str) -> T:
        begin = time.thread_time()
        try:
            return page()
        finally:
            more = int((time.thread_time() - begin) / _A_PAGE_S[kind])
            if more:
                self._strangers[kind].charge(network, more)


def _limit_strangers(per_minute: int) -> TokenBuckets:
    """By neighbourhood; half a minute's may come at once."""
    return TokenBuckets(per_minute, max(1, per_minute // 2))
