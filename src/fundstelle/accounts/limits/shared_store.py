"""The Redis or Valkey that several servers share, left alone while it does not answer.

Calls ask it on the event loop. So the first one that it fails pays a short timeout, and after that
nobody does: a thread of its own looks until it answers again. Timeouts of the client are those of
single reads: an answer that drips in would hold all up as long as it likes. So threads of their own
ask, and who waits for them does not wait longer than for all of an answer.
"""

import logging
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

from limits.errors import ConfigurationError, StorageError
from limits.storage import RedisStorage

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.database.availability import StoreState
from fundstelle.accounts.limits.answers import (
    NoNumber,
    read_count,
    read_held,
    read_life,
    read_taken,
)
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import SettingsError

TIMEOUT_S = 0.25  # a call waits for a byte of the shared store no longer
_WHOLE_S = 0.5  # nor for all of an answer
SLOW_S = 0.1  # one that answers like this would hold up all others
LOOK_AGAIN_S = 1.0
_FIND_S = 5.0  # to find it takes longer: its name may have to be looked up
_ASKERS = 8

_TAKE = """
local amount, fits, used = tonumber(ARGV[1]), 1, {}
for i, name in ipairs(KEYS) do
  used[i] = tonumber(redis.call('get', name) or 0)
  if used[i] + amount > tonumber(ARGV[2 * i + 1]) then fits = 0 end
end
if fits == 1 and ARGV[2] == '1' then
  for i, name in ipairs(KEYS) do
    used[i] = redis.call('incrby', name, amount)
    if redis.call('ttl', name) < 0 then redis.call('expire', name, ARGV[2 * i + 2]) end
  end
end
return {fits, used}
"""
"""Redis runs a script as one step: no other server counts between its lines."""

_GIVE_BACK = """
for _, name in ipairs(KEYS) do
  local back = math.min(tonumber(ARGV[1]), tonumber(redis.call('get', name) or 0))
  if back > 0 then redis.call('decrby', name, back) end
end
return 1
"""

_TRY_OUT = """
local used = redis.call('incrby', KEYS[1], 1)
redis.call('expire', KEYS[1], 0)
return {1, {used}}
"""
"""A store that is full, or a replica, answers and takes nothing. Commands that calls need, too, and
an answer in the shape of those that calls get."""

_TRIED = "fundstelle-tried"
_REFUSING_S = 60.0  # after it has refused what a call asked it is not said to be well for so long

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class SharedStore:
    """A shared store and whether it answers.

    Args:
        url: ``redis://…`` or ``rediss://…``.
        later: runs a task after some seconds, off the calling thread.
        clock: seconds since the epoch.
        ticks: monotonic, in seconds.

    Raises:
        SettingsError: the client library is not installed.
    """

    def __init__(
        self,
        url: str,
        later: Callable[[float, Callable[[], None]], None] = run_later,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.storage = _connect(url)
        self._take = self.storage.storage.register_script(_TAKE)
        self._give_back = self.storage.storage.register_script(_GIVE_BACK)
        self._try_out = self.storage.storage.register_script(_TRY_OUT)
        self._refusal = import_module("redis.exceptions").ResponseError
        self._is_asked = True
        self._refused_at: float | None = None
        self._askers = ThreadPoolExecutor(_ASKERS, thread_name_prefix="quota-store")
        self._later = later
        self._clock = clock
        self._ticks = ticks
        self._lock = threading.Lock()
        self._is_looking = False
        self._complaints = Complaints(_log, ticks)
        self.state = StoreState(reachable=True, writable=True, since=clock())
        self.look()  # here, not with the first call: it may take a while to find the store

    def _ask(self, question: Callable[[RedisStorage], _T]) -> _T | None:
        """What the store answers; ``None``, at once, while it does not answer."""
        if not self._is_asked:
            return None
        begin = self._ticks()
        try:
            answer = self._wait_for(question, _WHOLE_S)
        except StorageError as error:
            if isinstance(error.storage_error, self._refusal):
                self._refused_at = self._ticks()
            self._leave(type(error.storage_error).__name__)
            return None
        except TimeoutError:
            self._leave("SlowAnswer")
            return None
        except NoNumber:  # somebody else writes there
            self._refused_at = self._ticks()
            self._leave("UnreadableAnswer")
            return None
        except Exception:  # noqa: BLE001 what the client raises over a strange answer has no bounds
            self._leave_unread()
            return None
        if self._ticks() - begin > SLOW_S:
            self._leave("SlowAnswer")
        return answer

    def take_all(
        self, counters: Sequence[tuple[str, int, int]], amount: int, *, looks: bool
    ) -> tuple[bool, list[int]] | None:
        """Raise counters (name, most, seconds) in one step: all, or none if one has no room.

        Returns:
            Whether there was room, and what each stands at; ``None`` while nothing answers.
        """
        bounds = [bound for _, *both in counters for bound in both]
        names = [name for name, *_ in counters]
        values = [amount, int(not looks), *bounds]
        return self._ask(
            lambda storage: read_taken(_call(storage, self._take, names, values), len(names))
        )

    def give_back(self, names: Sequence[str], amount: int) -> bool:
        """Lower counters, none below nothing; whether that was done."""
        return bool(
            self._ask(
                lambda storage: read_count(_call(storage, self._give_back, names, [amount]), 1)
            )
        )

    def add(self, name: str, lasts_s: int, amount: int) -> int | None:
        """Raise a counter; its new value, ``None`` while nothing answers."""
        return self._ask(
            lambda storage: read_count(
                _call(storage, storage.lua_incr_expire, [name], [lasts_s, amount])
            )
        )

    def get(self, name: str) -> int | None:
        """The value of a counter; ``None`` while nothing answers."""
        return self._ask(lambda storage: read_held(_read(storage, "get", name)))

    def find_end(self, name: str) -> float | None:
        """When a counter expires, in seconds since the epoch; ``None`` while nothing answers."""
        lasts_s = self._ask(lambda storage: read_life(_read(storage, "ttl", name)))
        return None if lasts_s is None else self._clock() + lasts_s

    def look(self) -> None:
        """Find out whether it does what calls ask; while it does not, again and again."""
        begin = self._ticks()
        try:
            answers = self._wait_for(self._check, _FIND_S)
        except TimeoutError:
            self._leave("SlowAnswer")
            return
        except StorageError as error:
            self._leave(type(error.storage_error).__name__)
            return
        except Exception:  # noqa: BLE001 as in ``_ask``
            self._leave_unread()
            return
        if not answers:
            self._leave(self.state.last_error or "ConnectionError")
        elif self._ticks() - begin > SLOW_S:
            self._leave("SlowAnswer")
        elif not self.state.reachable:
            self._is_asked = True
            if self._refused_at is not None and begin - self._refused_at < _REFUSING_S:
                self._look_later()  # it takes this, and has not taken what a call asked
                return
            self._refused_at = None
            self._move(reachable=True)
            self._complaints.end("the shared quota store answers again")

    def _check(self, storage: RedisStorage) -> bool:
        if storage.check() is not True:
            return False
        return read_taken(_call(storage, self._try_out, [_TRIED], []), 1) is not None

    def _wait_for(self, question: Callable[[RedisStorage], _T], most_s: float) -> _T:
        """What the store answers.

        Raises:
            TimeoutError: it has not, in ``most_s``. Its connections are closed, which ends who
                waits there.
        """
        asked = self._askers.submit(question, self.storage)
        try:
            return asked.result(most_s)
        except TimeoutError:
            asked.cancel()
            self._hang_up()
            raise

    def _hang_up(self) -> None:
        with suppress(OSError):
            self.storage.storage.connection_pool.disconnect()

    def _leave_unread(self) -> None:
        """Leave it: what came is no answer to what was asked, nor may be what comes behind it."""
        self._hang_up()
        self._leave("UnreadableAnswer")

    def _leave(self, kind: str) -> None:
        self._is_asked = False
        self._move(reachable=False, last_error=kind)
        text = f"the shared quota store fails ({kind}); each process counts on its own"
        self._complaints.add(kind, text)
        self._look_later()

    def _look_later(self) -> None:
        with self._lock:
            starts, self._is_looking = not self._is_looking, True
        if not starts:
            return
        this = weakref.ref(self)  # a store that nobody uses any more is not looked for

        def look_again() -> None:
            store = this()
            if store is not None:
                store._is_looking = False  # noqa: SLF001 its own
                store.look()

        self._later(LOOK_AGAIN_S, look_again)

    def _move(self, *, reachable: bool, last_error: str | None = None) -> None:
        with self._lock:
            before = self.state
            since = before.since if before.reachable == reachable else self._clock()
            self.state = StoreState(
                reachable,
                writable=reachable,
                since=since,
                last_error=last_error or before.last_error,
            )


def _call(storage: RedisStorage, script: Any, names: Iterable[str], values: Sequence[int]) -> Any:
    try:
        return script([storage.prefixed_key(name) for name in names], values)
    except storage.base_exceptions as error:
        raise StorageError(error) from error


def _read(storage: RedisStorage, command: str, name: str) -> Any:
    try:
        return getattr(storage.storage, command)(storage.prefixed_key(name))
    except storage.base_exceptions as error:
        raise StorageError(error) from error


def _connect(url: str) -> RedisStorage:
    try:
        return RedisStorage(
            url,
            wrap_exceptions=True,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            retry=_build_retry(),
        )
    except ValueError:  # its message would repeat the address and its password
        raise SettingsError(
            ["FUNDSTELLE_QUOTA_URL is no address of a Redis: redis://host:6379/0 or rediss://…"]
        ) from None
    except (ConfigurationError, ImportError):
        raise SettingsError(
            ["FUNDSTELLE_QUOTA_URL needs the package 'redis' (pip install 'fundstelle[redis]')"]
        ) from None


def _build_retry() -> Any:
    """One more attempt, at once: a connection that lay idle may be dead. Not after a timeout."""
    retry = import_module("redis.retry").Retry  # optional: only a shared store needs it
    errors = import_module("redis.exceptions")
    no_backoff = import_module("redis.backoff").NoBackoff()
    return retry(no_backoff, 1, supported_errors=(errors.ConnectionError,))
