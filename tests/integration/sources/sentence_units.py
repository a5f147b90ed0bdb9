"""The units of a norm in which sentences are counted, named as in the hand-checked set."""

from collections.abc import Sequence

from fundstelle.law.norms import Level, Segment

_SENTENCES = (Level.SATZ, Level.HALBSATZ)

Units = dict[str, list[list[int]]]


def name_units(segments: Sequence[Segment]) -> list[str]:
    """For each segment the path of the unit it is, or (sentences) that it lies in.

    ``abs=1/nr=2``: the sentence that holds a list is not named. The whole text is the empty path.
    """
    names: list[str] = []
    for segment in segments:
        above = names[segment.parent] if segment.parent >= 0 else ""
        if segment.level not in _SENTENCES:
            above = f"{above}/{segment.level}={segment.value}".lstrip("/")
        names.append(above)
    return names


def read_units(segments: Sequence[Segment]) -> Units:
    """Where the sentences of each unit begin; a list for each unit that has the same name.

    An item that is not divided is one sentence.
    """
    names = name_units(segments)
    starts: dict[int, list[int]] = {-1: []}
    for at, segment in enumerate(segments):
        if segment.level is Level.SATZ:
            starts.setdefault(segment.parent, []).append(segment.start)
        elif segment.level is not Level.HALBSATZ:
            starts.setdefault(at, [])
    units: Units = {}
    for at, found in starts.items():
        name = names[at] if at >= 0 else ""
        units.setdefault(name, []).append(found or ([segments[at].body] if at >= 0 else []))
    return units
