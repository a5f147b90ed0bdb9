"""The running server: its certificate, whether it answers, and how its workers are."""

import ssl
from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import orjson
from prometheus_client.parser import text_string_to_metric_families

from fundstelle.cli.examining.findings import Finding
from fundstelle.net.certificates import BadCertificate, read_validity
from fundstelle.net.client import CONFIGURED, LOOPBACK, GuardedClient, NoAnswer, Reach
from fundstelle.settings import Settings

SECONDS = 10.0
_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})
_NEAR_END = timedelta(days=14)
_LAST_PART = 4  # of a short life: what renews by itself does so when a third of it is left
_WORKER = "fundstelle_worker_process_start_time_seconds"
_PROBLEMS = "fundstelle_worker_problems"
_OPEN, _MOST_OPEN = (f"fundstelle_worker_process_{each}_fds" for each in ("open", "max"))
_FULL = 0.8  # of the files that a worker may open


def examine_certificate(
    settings: Settings, now: datetime, trust: ssl.SSLContext | None = None
) -> Iterator[Finding]:
    """Whether clients can trust the public address, and for how long yet."""
    url = settings.base_url
    if url.startswith("http:"):
        if urlsplit(url).hostname in _LOCAL:
            yield Finding.ok("certificate", f"{url} is this machine's own and needs none")
        else:
            yield Finding.wrong(
                "certificate",
                f"FUNDSTELLE_BASE_URL is {url}: keys and answers can be read on the way",
                "put a proxy with TLS before it, and set the https address (docs/deploying.md)",
            )
        return
    try:
        starts, ends = read_validity(url, SECONDS, trust)
    except BadCertificate as error:
        remedy = "renew it, or correct its name; a firm's own authority belongs in the system store"
        yield Finding.wrong("certificate", f"clients do not take that of {url}: {error}", remedy)
    except NoAnswer as error:
        remedy = "see whether the proxy runs, and whether FUNDSTELLE_BASE_URL leads to it"
        yield Finding.wrong("certificate", f"{url} shows none ({error})", remedy)
    else:
        words = f"that of {url} is valid until {ends:%Y-%m-%d %H:%M} UTC"
        if ends - now < min(_NEAR_END, (ends - starts) / _LAST_PART):
            remedy = "see why it is not renewed by itself, and renew it"
            yield Finding.wrong("certificate", words, remedy)
        else:
            yield Finding.ok("certificate", words)


def examine_server(settings: Settings, client: GuardedClient) -> Iterator[Finding]:
    """Whether the server answers at its public address, and what it says of itself."""
    url = f"{settings.base_url}/readyz"
    reach = Reach(CONFIGURED.allows, plain=True)
    try:
        answer = client.ask(url, reach, headers={})
    except NoAnswer as error:
        remedy = "start it ('fundstelle up'), or correct FUNDSTELLE_BASE_URL"
        if url.startswith("https:"):
            remedy = f"see to its certificate first; else {remedy}"
        yield Finding.wrong("server", f"no answer can be had from {url} ({error})", remedy)
        return
    state = _read_state(answer.body)
    problems = state.get("problems")
    if answer.status == 200 and state.get("status") == "ready":
        release = state.get("corpus_release")
        yield Finding.ok("server", f"{settings.base_url} is ready, with {release}")
    elif answer.status == 200 and isinstance(problems, list):
        for problem in problems:
            remedy = "docs/operations.md says what it means; the log has the reason"
            yield Finding.wrong("server", f"{settings.base_url} is degraded: {problem}", remedy)
    else:
        yield Finding.wrong(
            "server",
            f"{url} is answered with status {answer.status}, and not as Fundstelle does",
            "see whether FUNDSTELLE_BASE_URL leads to this server, and what its log says",
        )


def examine_workers(settings: Settings, client: GuardedClient) -> Iterator[Finding]:
    """How many there are, whether each does its work and has files left to open."""
    if settings.metrics_port is None:
        yield Finding.note(
            "workers",
            "they can be looked at only where FUNDSTELLE_METRICS_PORT is set",
            "set it for the server and for this command, such as 9090",
        )
        return
    url = f"http://127.0.0.1:{settings.metrics_port}/metrics"
    try:
        page = client.ask(url, LOOPBACK, headers={}).body.decode(errors="replace")
        figures = _read_figures(page)
    except (NoAnswer, ValueError) as error:
        yield Finding.wrong(
            "workers",
            f"{url} does not answer with figures ({error})",
            "start the server with the same FUNDSTELLE_METRICS_PORT",
        )
        return
    yield from _judge_workers(figures)


def _judge_workers(figures: dict[str, dict[str, float]]) -> Iterator[Finding]:
    faults = []
    if problems := max(figures.get(_PROBLEMS, {"": 0.0}).values()):
        remedy = "/readyz names it, the log has the reason (docs/operations.md)"
        faults.append(Finding.wrong("workers", f"{problems:.0f} things do not work", remedy))
    allowed = figures.get(_MOST_OPEN, {})
    faults += [
        Finding.wrong(
            "workers",
            f"worker {worker} has opened {count:.0f} of the {allowed[worker]:.0f} files it may",
            "raise the limit of open files (LimitNOFILE, ulimits), or lower"
            " FUNDSTELLE_MAX_CONNECTIONS",
        )
        for worker, count in figures.get(_OPEN, {}).items()
        if count > _FULL * allowed.get(worker, float("inf"))
    ]
    count = len(figures.get(_WORKER, {}))
    yield from faults or [Finding.ok("workers", f"{count} at work" if count else "at work")]


def _read_figures(page: str) -> dict[str, dict[str, float]]:
    """Figures by name, and in each by its worker.

    Raises:
        ValueError: it is no page of metrics.
    """
    figures: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            figures.setdefault(sample.name, {})[sample.labels.get("worker", "")] = sample.value
    if _PROBLEMS not in figures:
        raise ValueError("it is not Fundstelle's")
    return figures


def _read_state(body: bytes) -> dict[str, object]:
    try:
        state = orjson.loads(body)
    except ValueError:
        return {}
    return state if isinstance(state, dict) else {}
