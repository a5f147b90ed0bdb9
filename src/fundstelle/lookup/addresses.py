"""Permanent addresses of texts on this server: pages, and anchors of the units in them.

``/n/de/bgb/823#abs-1``, ``/d/ECLI:DE:BGH:2020:…#rn-12``. The portal gives its lines these anchors,
and answers name them, so both come from here.
"""

from collections.abc import Sequence
from datetime import date
from urllib.parse import quote

from fundstelle.law.norms import Level, Segment, choose_read_day
from fundstelle.lookup.answers import DecisionHit, Hit

SENTENCES = frozenset({Level.SATZ, Level.HALBSATZ})
_LONGEST = 200  # characters of an anchor


def norm_path(norm_id: str, on: date | None = None) -> str:
    """The page of a norm or a law; ``on``: with the text of that day."""
    asked = f"?as_of={on.isoformat()}" if on is not None else ""
    return f"/n/{quote(norm_id, safe='/~')}{asked}"


def decision_path(decision_id: str) -> str:
    """The page of a decision."""
    return f"/d/{quote(decision_id, safe='/:~')}"


def name_passage(number: str) -> str:
    """The anchor of a Randnummer."""
    return f"rn-{number}".replace(" ", "_")


def name_anchors(segments: Sequence[Segment]) -> list[str]:
    """An anchor for each part of a text, no two the same: ``abs-1-nr-2``, ``abs-1-satz-2``.

    Items are named without the sentence that they stand in, as citations do, as long as that
    names one; the next of the same name is named with it, and counted where that is not enough.
    """
    names: list[str] = []
    short: list[str] = []  # without sentences
    full: list[str] = []
    taken: dict[str, int] = {}
    for segment in segments:
        parent = segment.parent
        step = f"{segment.level}-{segment.value}".replace(" ", "_").replace("§", "s")
        above, around = (f"{short[parent]}-", f"{full[parent]}-") if parent >= 0 else ("", "")
        whole = (around.lstrip("-") + step)[:_LONGEST]
        if segment.level in SENTENCES:
            short.append(short[parent] if parent >= 0 else "")
            name = whole
        else:
            name = (above.lstrip("-") + step)[:_LONGEST]
            short.append(name)
            if name in taken:
                name = whole
        full.append(whole)
        count = taken.get(name, 0)
        taken[name] = count + 1
        if count:
            name = f"{name}--{count + 1}"  # no value has two hyphens
            taken[name] = 1
        names.append(name)
    return names


def find_page(hit: Hit) -> str:
    """The page of a text and the anchor of the unit that was found in it."""
    if isinstance(hit, DecisionHit):
        path = decision_path(hit.held_id)
        first = None if hit.is_whole else _find_passage(hit)
        return path if first is None else f"{path}#{quote(name_passage(first.value))}"
    fassung = hit.fassung
    is_older = fassung.in_force_until is not None
    older = choose_read_day(fassung.stand, fassung.in_force_from) if is_older else None
    path = norm_path(hit.held_id, older)
    if hit.unit < 0:
        return path
    return f"{path}#{quote(name_anchors(hit.segments[: hit.unit + 1])[-1])}"


def _find_passage(hit: DecisionHit) -> Segment | None:
    return next((one for one in hit.segments if one.start == hit.start), None)
