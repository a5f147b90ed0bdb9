"""Pages that say no: made without a session, the database or a thread, so that they cost nothing.

Each is written once for a language and given again.
"""

from math import ceil

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import Response

from fundstelle.portal.frame.services import Services
from fundstelle.portal.frame.visits import Visit, find_language

_START = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}


class Refusals:
    """Writes ``problem.html`` for strangers; the link of the other language leads to the start."""

    def __init__(self, services: Services, environment: Environment) -> None:
        self._services = services
        self._environment = environment
        self._written: dict[tuple[str, int, str], Response] = {}

    def give(
        self, request: Request, status: int, title: str, wait_s: float | None = None
    ) -> Response:
        """The page ``title`` and ``title_next``; ``wait_s`` is said in ``Retry-After``."""
        key = (find_language(request), status, title)
        page = self._written.get(key)
        if page is None:
            page = self._written[key] = self._write(*key)
        response = Response(page.body, page.status_code)
        response.raw_headers = list(page.raw_headers)
        if wait_s is not None:
            response.headers["Retry-After"] = str(max(1, ceil(wait_s)))
        return response

    def _write(self, language: str, status: int, title: str) -> Response:
        start = Request(_START)
        visit = Visit(start, self._services, self._environment, language, is_open=True, logos=())
        return visit.render("problem.html", status=status, title=title, code=status)
