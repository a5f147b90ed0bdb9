"""Counters of calls, in memory or in a Redis or Valkey that several servers share."""

import logging
import math
import threading
import time
from importlib import import_module
from typing import Any

from limits.errors import ConfigurationError, StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage

from fundstelle.errors import SettingsError

TIMEOUT_S = 0.25  # a call waits for the shared store no longer
PAUSE_S = 5.0  # after a failure the shared store is left alone for so long
_COMPLAIN_S = 60.0
_SWEEP_S = 60.0

_log = logging.getLogger(__name__)


class _NoTimer(threading.Timer):
    """Stands where ``MemoryStorage`` keeps its timer and looks busy.

    The library would start a thread after every pause of 10 ms to look for expired counters, which
    costs a call 300 µs. ``_sweep`` does the same once a minute.
    """

    def is_alive(self) -> bool:
        return True


class Counters:
    """Counters that expire by themselves.

    If the shared store fails, this process goes on counting in its own memory: calls are still
    limited, by each process on its own.

    Args:
        url: ``redis://…`` or ``rediss://…``; ``None`` = in memory.

    Raises:
        SettingsError: the client library for the shared store is not installed.
    """

    def __init__(self, url: str | None = None) -> None:
        self._memory = MemoryStorage()
        self._memory.timer.cancel()
        self._memory.timer = _NoTimer(0, int)
        self._swept_at = -math.inf
        self._shared = None if url is None else connect(url)
        self._paused_until = -math.inf
        self._complained_at = -math.inf

    def add(self, name: str, lasts_s: int, now: float, amount: int = 1) -> int:
        """Raise a counter, which lives for ``lasts_s`` from its first call on; its new value."""
        if self._shared is not None and time.monotonic() >= self._paused_until:
            try:
                return self._shared.incr(name, lasts_s, amount)
            except StorageError as error:
                self._pause(error)
        if not 0 <= now - self._swept_at < _SWEEP_S:
            self._sweep(now)
        return self._memory.incr(name, lasts_s, amount)

    def get(self, name: str) -> int:
        """The value of a counter."""
        if self._shared is not None and time.monotonic() >= self._paused_until:
            try:
                return self._shared.get(name)
            except StorageError as error:
                self._pause(error)
        return self._memory.get(name)

    def _pause(self, error: StorageError) -> None:
        now = time.monotonic()
        self._paused_until = now + PAUSE_S
        if now - self._complained_at >= _COMPLAIN_S:
            self._complained_at = now
            cause = type(error.storage_error).__name__
            _log.error("the shared quota store fails (%s); each process counts on its own", cause)

    def _sweep(self, now: float) -> None:
        """Let go of expired counters: asking for one does that."""
        self._swept_at = now
        for name in list(self._memory.expirations):
            self._memory.get(name)


def connect(url: str) -> Storage:
    """A shared store, asked with short patience.

    Raises:
        SettingsError: the package that speaks to it is not installed.
    """
    try:
        storage = RedisStorage(
            url,
            wrap_exceptions=True,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            retry=_build_retry(),
        )
    except (ConfigurationError, ImportError):
        raise SettingsError(
            ["FUNDSTELLE_QUOTA_URL needs the package 'redis' (pip install 'fundstelle[redis]')"]
        ) from None
    return storage


def _build_retry() -> Any:
    """One more attempt, at once: a connection that lay idle may be dead."""
    retry = import_module("redis.retry").Retry  # optional: only a shared store needs it
    return retry(import_module("redis.backoff").NoBackoff(), 1)
