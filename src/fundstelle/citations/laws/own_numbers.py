"""The number of an act of the Union in brackets behind its name: ``KI-VO (VO (EU) 2024/1689)``."""

import re

from fundstelle.citations.laws import eu

_OPENING = re.compile(r"\s*(?:=\s*|(?:-\s*)?(?P<bracket>[(<\[])\s*)")
_CLOSING = {"(": ")", "<": ">", "[": "]"}
_REST = re.compile(r"[^()<>\[\];§]{0,160}")  # day, issuers, title, journal of the act


def find_other_number(text: str, pos: int, celex: str) -> tuple[int, int] | None:
    """The number of another act that is said to be that of the one whose name ends at ``pos``.

    Half-open, with its bracket; ``None`` where none is said, or its own. A place in that act is
    cited beside it.
    """
    opening = _OPENING.match(text, pos)
    if opening is None or not celex.startswith("3"):  # a Treaty has none
        return None
    start = opening.end()
    act = eu.read_act(text, start) or eu.read_identifier(text, start)
    if act is None or act.celex == celex or act.unit is not None:
        return None
    if not opening["bracket"]:
        return start, act.end
    end = _skip_rest(text, act.end)
    closing = text.startswith(_CLOSING[opening["bracket"]], end)
    return (opening.start("bracket"), end + 1) if closing else None


def _skip_rest(text: str, pos: int) -> int:
    rest = _REST.match(text, pos)
    assert rest is not None, "it matches nothing, too"
    return rest.end()
