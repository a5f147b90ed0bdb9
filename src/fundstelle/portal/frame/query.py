"""What an address asks for behind its ``?``: read as it is written, or said to be unreadable.

What cannot be read is never passed over: a page that shows today's law, all decisions or the whole
log instead would answer another question than was asked, and nobody could see it. A field that a
form sends empty is as if it was not there.
"""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Literal
from urllib.parse import urlencode

from starlette.responses import Response

from fundstelle.portal.frame.addresses import is_own, write_own
from fundstelle.portal.frame.visits import Handler, Visit
from fundstelle.tools.inputs.arguments import parse_day

Why = Literal[
    "choice", "day", "number", "past", "reversed", "several", "too_long", "too_short", "year"
]
"""What is wrong with a value; each has a text, ``query.…``."""

_MOST_SHOWN = 100  # characters of what was sent
_DIGITS = 18


class Unreadable(Exception):
    """A parameter of an address has a value that its page cannot read, or has nothing for.

    Args:
        name: of the parameter.
        why: what is wrong; the text that says it has *values*.
        status: of the answer.
        instead: another value, to which the page leads.
    """

    def __init__(
        self, name: str, why: Why, status: int = 400, instead: str = "", **values: object
    ) -> None:
        super().__init__(name, why)
        self.name = name
        self.why = why
        self.status = status
        self.instead = instead
        self.values = values


def read_text(visit: Visit, name: str, most: int | None = None) -> str:
    """A text, empty if there is none.

    Raises:
        Unreadable: it has more than ``most`` characters, or comes several times and differs.
    """
    sent = {one for one in visit.request.query_params.getlist(name) if one}
    if len(sent) > 1:
        raise Unreadable(name, "several")
    text = sent.pop() if sent else ""
    if most is not None and len(text) > most:
        count, allowed = visit.number(len(text)), visit.number(most)
        raise Unreadable(name, "too_long", count=count, most=allowed)
    return text


def read_choice(visit: Visit, name: str, choices: Collection[str], default: str = "") -> str:
    """One of some values, ``default`` if there is none.

    Raises:
        Unreadable: it is another.
    """
    text = read_text(visit, name)
    if text and text not in choices:
        raise Unreadable(name, "choice", choices=", ".join(choices))
    return text or default


def read_day(visit: Visit, name: str) -> date | None:
    """A day, read as the tools do; ``None`` if there is none.

    Raises:
        Unreadable: it is no day.
    """
    text = read_text(visit, name)
    day = parse_day(text)
    if text and day is None:
        raise Unreadable(name, "day")
    return day


def read_number(visit: Visit, name: str, least: int = 1) -> int | None:
    """A whole number, ``None`` if there is none.

    Raises:
        Unreadable: it is none, less than ``least``, or longer than any that we count to.
    """
    text = read_text(visit, name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) >= least):
        raise Unreadable(name, "number", least=least)
    return int(text)


def read_page(visit: Visit, name: str = "page") -> int:
    """Which page of a list, the first if none is named; ``check_page`` says whether it is there.

    Raises:
        Unreadable: it is no number.
    """
    return read_number(visit, name) or 1


def check_page(page: int, pages: int, name: str = "page") -> None:
    """See that a list is as long as that.

    Raises:
        Unreadable: the page is behind its last.
    """
    last = max(pages, 1)
    if page > last:
        raise Unreadable(name, "past", 404, str(last), last=last)


def answer(visit: Visit, handler: Handler) -> Response:
    """The page, or what of its address cannot be read."""
    try:
        return handler(visit)
    except Unreadable as wrong:
        return _show(visit, wrong)


def _show(visit: Visit, wrong: Unreadable) -> Response:
    """What could not be read and how it is written; a day may be given anew at once."""
    sent = visit.request.query_params
    kept = [(name, value) for name, value in sent.multi_items() if name != wrong.name]
    return visit.render(
        "unreadable.html",
        status=wrong.status,
        code=wrong.status,
        name=wrong.name,
        value=sent.get(wrong.name, "")[:_MOST_SHOWN],
        why=wrong.why,
        values=wrong.values,
        kept=kept,
        without=_write_address(visit, kept),
        instead=_write_address(visit, [*kept, (wrong.name, wrong.instead)])
        if wrong.instead
        else "",
    )


def _write_address(visit: Visit, asked: Sequence[tuple[str, str]]) -> str:
    """This page with other parameters; empty where that is no address of ours."""
    address = write_own(visit.path)
    address += f"?{urlencode(asked)}" if asked else ""
    return address if is_own(address) else ""
