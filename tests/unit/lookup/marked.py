"""Texts with their parts marked by hand: ``{abs 1|(1) Wer {nr 1|1. klopft}}``."""

import re
from hashlib import sha256

from fundstelle.law.norms import Level, Segment

_TOKEN = re.compile(r"\{(?P<level>\w+) (?P<value>\w+)\||(?P<close>\})|(?P<words>[^{}]+)")
_LABEL = re.compile(r"(?:\(\w+\)|\w+[.)])\s")


def read_marked(marked: str) -> tuple[str, tuple[Segment, ...]]:
    """The stored text and its segments."""
    text = ""
    segments: list[Segment] = []
    open_parts: list[int] = []
    for token in _TOKEN.finditer(marked):
        if token["level"]:
            parent = open_parts[-1] if open_parts else -1
            at = len(text)
            open_parts.append(len(segments))
            segments.append(Segment(Level(token["level"]), token["value"], at, at, at, parent))
        elif token["close"]:
            index = open_parts.pop()
            segments[index] = _close(segments[index], text)
        else:
            text += token["words"]
    return text, tuple(segments)


def _close(segment: Segment, text: str) -> Segment:
    label = None if segment.level in {"satz", "hs"} else _LABEL.match(text, segment.start)
    body = label.end() if label else segment.start
    return Segment(segment.level, segment.value, segment.start, len(text), body, segment.parent)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
