"""What was fetched for clients: kept for a while, and read anew where it has to be younger."""

import math
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from fundstelle.errors import InvalidArgument
from fundstelle.net.client import NoAnswer
from fundstelle.oauth.document_fetch import DocumentFetch, NoPlace, Sort

T = TypeVar("T")
P = TypeVar("P")

LONGEST_CACHE_S = 86_400
_SHORTEST_CACHE_S = 300
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age=(\d{1,9})")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    content: T
    read: float
    life_s: float

    def is_good(self, now: float, most_age_s: float) -> bool:
        """Whether it may be used; what was read in the future is of a clock that was set back."""
        return 0 <= now - self.read < min(self.life_s, most_age_s)


class KeptDocuments(Generic[T]):
    """Documents of one sort by their addresses. Threads may share them.

    Args:
        fetch: fetches documents; ``None`` = never.
        sort: what they are to be.
        read: what the body at an address says; raises ``InvalidArgument`` for one that cannot be
            used, and that is not kept.
        clock: seconds since the epoch.
        most: that are kept; the one that was used longest ago makes room.
    """

    def __init__(
        self,
        fetch: DocumentFetch | None,
        sort: Sort,
        read: Callable[[str, bytes], T],
        clock: Callable[[], float],
        most: int,
    ) -> None:
        self._fetch = fetch
        self._sort = sort
        self._read = read
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._failed: OrderedDict[str, float] = OrderedDict()  # when it gave no answer

    def find(self, address: str, most_age_s: float = math.inf) -> T | None:
        """What is kept of an address and was read less long ago than that."""
        with self._lock:
            kept = self._kept.get(address)
            if kept is None or not kept.is_good(self._clock(), most_age_s):
                return None
            self._kept.move_to_end(address)
            return kept.content

    def get(self, address: str, sender: str, most_age_s: float = math.inf, pause_s: float = 0) -> T:
        """The same, fetched if it has to be.

        Args:
            address: of the document.
            sender: the network for whose sake it may be fetched.
            most_age_s: what was read longer ago is read anew.
            pause_s: for so long a host that gave no answer is left alone.

        Raises:
            NoAnswer: it was not fetched.
            InvalidArgument: it cannot be used.
        """
        kept = self.find(address, most_age_s)
        if kept is not None:
            return kept
        if self._fetch is None:
            raise NoAnswer("fetching is switched off")
        if 0 <= self._clock() - self._failed.get(address, -math.inf) < pause_s:
            raise NoAnswer("it gave no answer a moment ago")
        try:
            body, cache_control = self._fetch.fetch(address, sender, self._sort)
            content = self._read(address, body)
        except NoPlace:  # it was not asked
            raise
        except (NoAnswer, InvalidArgument):
            self._put(self._failed, address, self._clock())
            raise
        self._put(self._kept, address, _Kept(content, self._clock(), _find_life_s(cache_control)))
        return content

    def _put(self, where: OrderedDict[str, P], address: str, what: P) -> None:
        with self._lock:
            where[address] = what
            where.move_to_end(address)
            if len(where) > self._most:
                where.popitem(last=False)


def _find_life_s(cache_control: str) -> float:
    found = _MAX_AGE.search(cache_control.lower())
    asked = int(found[1]) if found else LONGEST_CACHE_S
    return min(max(asked, _SHORTEST_CACHE_S), LONGEST_CACHE_S)
