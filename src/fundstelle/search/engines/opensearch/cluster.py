"""Asking a cluster: one node after the other until a deadline, and nobody while it is away.

Nothing that was asked and no password is logged: the client's own loggers are silenced, since they
write addresses, and at their lowest level bodies.
"""

import logging
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any

from opensearchpy import OpenSearch
from opensearchpy.exceptions import (
    ConnectionError as NoConnection,
)
from opensearchpy.exceptions import (
    NotFoundError,
    OpenSearchException,
    TransportError,
)

from fundstelle.errors import SearchUnavailable, SettingsError
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.bounded import BoundedConnection
from fundstelle.search.engines.opensearch.refusals import explain_status, explain_tls

WORK_S = 120.0
"""How long one request may take that writes: merging an index, and waiting for its copies."""

_AWAY = frozenset({429, 502, 503, 504})  # of a node that may answer later, or another one now
_FAILURES = 2  # one after the other, until nobody waits for the cluster any more
_PAUSE_S = 1.0  # after which one search tries again
_DEAD_S = 1.0  # for which a node that has not answered is asked last
_SHORTEST_S = 0.02

_log = logging.getLogger(__name__)

for _name in ("opensearch", "opensearchpy.trace"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class Gone(Exception):
    """What a request names is not in the cluster."""


class Breaker:
    """Keeps searches from waiting for a cluster that has not answered. Safe between threads.

    Args:
        clock: seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = 0.0

    def admit(self) -> bool:
        """Whether to ask; while the cluster is away one asker in a second is let through."""
        with self._lock:
            if self._failures < _FAILURES:
                return True
            if self._clock() < self._closed_until:
                return False
            self._closed_until = self._clock() + _PAUSE_S
            return True

    def note_answer(self) -> None:
        """The cluster has answered."""
        with self._lock:
            was_away = self._failures >= _FAILURES
            self._failures = 0
        if was_away:
            _log.warning("the search cluster answers again")

    def note_failure(self, kind: str, advice: str = "") -> None:
        """No node has answered in time, or one has refused us; ``advice`` is for operators."""
        with self._lock:
            self._failures += 1
            self._closed_until = self._clock() + _PAUSE_S
            is_first = self._failures == _FAILURES
        if is_first:
            what = f"{kind}; {advice}" if advice else kind
            _log.error("the search cluster does not answer (%s): searches are refused", what)


class Cluster:
    """The nodes of one cluster, asked over HTTP. Safe between threads.

    Args:
        address: where they are.
        clock: seconds, as ``Breaker`` has it.

    Raises:
        SettingsError: the certificates that are to be trusted cannot be read.
    """

    def __init__(
        self, address: ClusterAddress, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.address = address
        self.breaker = Breaker(clock)
        self.round_trips = 0
        self._clock = clock
        self._client = _open_client(address)

    def ask(self, method: str, path: str, body: Any = None, **params: Any) -> Any:
        """One request of the search, within the time that is left.

        Args:
            method: of HTTP.
            path: of the request.
            body: lines as bytes, or a value that becomes JSON.
            params: ``left_s``, the seconds that are left; the rest goes into the address.

        Raises:
            SearchUnavailable: no node has answered in time.
            Gone: what the request names is not there.
        """
        try:
            answer = self._perform(method, path, body, params)
        except SearchUnavailable as error:
            self.breaker.note_failure(error.kind, error.advice)
            raise SearchUnavailable(error.kind) from error  # who searches can mend nothing
        self.breaker.note_answer()
        return answer

    def work(self, method: str, path: str, body: Any = None, **params: Any) -> Any:
        """The same for a request that writes, or keeps house: it may take its time."""
        return self._perform(method, path, body, {"left_s": WORK_S, **params})

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _perform(self, method: str, path: str, body: Any, params: Mapping[str, Any]) -> Any:
        asked = dict(params)
        deadline = self._clock() + asked.pop("left_s")
        headers = {"content-type": "application/x-ndjson"} if isinstance(body, bytes) else None
        tries = len(self.address.hosts) + 1
        kind, advice, status = "no time was left", "", None
        for tried in range(tries):
            left_s = deadline - self._clock()
            if left_s < _SHORTEST_S:
                break
            # A node that hangs must leave time for another one.
            wait_s = left_s if tried == tries - 1 or len(self.address.hosts) == 1 else left_s / 2
            try:
                self.round_trips += 1
                return self._client.transport.perform_request(
                    method, path, {**asked, "request_timeout": wait_s}, body, headers=headers
                )
            except NotFoundError as error:
                raise Gone(path.strip("/").partition("/")[0]) from error
            except NoConnection as error:
                kind, advice = explain_tls(error) or (type(error).__name__, "")
                status = None
            except TransportError as error:
                kind, advice = explain_status(error.status_code)
                status = error.status_code if isinstance(error.status_code, int) else None
                if status not in _AWAY:
                    break
            except OpenSearchException as error:  # what came is no answer
                kind, advice, status = type(error).__name__, "", None
        raise SearchUnavailable(kind, advice, status)


def _introduce(address: ClusterAddress) -> dict[str, str]:
    """Who asks; in UTF-8, as a cluster reads it, which the client's own way is not."""
    if not address.user:
        return {}
    secret = b64encode(f"{address.user}:{address.password}".encode()).decode()
    return {"authorization": f"Basic {secret}"}


def _open_client(address: ClusterAddress) -> OpenSearch:
    """The client; nothing is asked yet."""
    try:
        if address.ca is not None:  # the client reads it when it first connects
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(address.ca)
        return OpenSearch(
            hosts=[{"host": host, "port": port} for host, port in address.hosts],
            connection_class=BoundedConnection,
            headers=_introduce(address),
            use_ssl=address.is_encrypted,
            verify_certs=True,
            ca_certs=str(address.ca) if address.ca else None,
            ssl_show_warn=False,
            max_retries=0,  # by the deadline, above
            retry_on_timeout=True,  # so that the node is asked last for a moment
            dead_timeout=_DEAD_S,
            timeout_cutoff=0,
            pool_maxsize=32,
        )
    except (OSError, ValueError, OpenSearchException) as error:
        raise SettingsError(
            [f"the certificates that FUNDSTELLE_SEARCH names cannot be read ({address.ca})"]
        ) from error
