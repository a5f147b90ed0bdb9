"""Addresses of texts on this server, as answers give them on: ``/n/de/bgb/823#abs-1``.

Written with the address of this server in front, or as a path: another host's page is another's.
"""

import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import unquote

from fundstelle.law.identifiers import is_id

_PAGE = re.compile(
    r"/(?P<kind>[nd])/(?P<id>[^\s?#]+?)/?(?:\?as_of=(?P<on>\d{4}-\d\d-\d\d))?(?:#(?P<anchor>\S+))?"
)
_PASSAGE = "rn-"


@dataclass(frozen=True, slots=True)
class Page:
    """What an address names: a law, norm or decision, the day, and the part by its anchor."""

    held_id: str
    on: date | None = None
    anchor: str = ""

    @property
    def reference(self) -> str:
        """As it is looked up; a Randnummer is cited, a part of a norm found by its anchor."""
        number = self.anchor.removeprefix(_PASSAGE).replace("_", " ")
        return f"{self.held_id} Rn. {number}" if self.is_passage else self.held_id

    @property
    def is_passage(self) -> bool:
        """Whether it is a Randnummer of a decision."""
        return self.anchor.startswith(_PASSAGE)


def read_page(written: str, base_url: str) -> Page | None:
    """The page of this server that ``written`` is the address of."""
    found = _PAGE.fullmatch(written.removeprefix(base_url.rstrip("/")))
    if found is None:
        return None
    held_id, anchor = unquote(found["id"]), unquote(found["anchor"] or "")
    try:
        on = date.fromisoformat(found["on"]) if found["on"] else None
    except ValueError:
        return None
    is_norm = found["kind"] == "n"
    is_readable = is_id(held_id) if is_norm else anchor.startswith(_PASSAGE) or not anchor
    if (
        not is_readable
        or (is_norm and anchor.startswith(_PASSAGE))
        or any(map(str.isspace, held_id))
    ):
        return None
    return Page(held_id, on, anchor)
