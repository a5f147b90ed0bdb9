"""``Article 7(2)`` of an act of the EU: the text tells whether that is a paragraph or a number."""

from collections.abc import Sequence
from dataclasses import replace

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level, Norm, Segment
from fundstelle.lookup.parts.following import list_top

_EU = "eu/"


def read_brackets(
    norm: Norm, segments: Sequence[Segment], path: Sequence[PathStep]
) -> Sequence[PathStep]:
    """The path with its first step as the text has it, where that was written ``(2)``.

    An article of an EU act has numbered paragraphs, or a list of numbers and none.
    """
    if not path or not path[0].bracketed or not norm.norm_id.startswith(_EU):
        return path
    first, *rest = path
    if first.level == Level.NUMMER and list_top(segments, Level.ABSATZ):
        return (replace(first, level=Level.ABSATZ), *rest)
    if first.level != Level.ABSATZ or list_top(segments, Level.ABSATZ):
        return path
    numbers = list_top(segments, Level.NUMMER)
    is_there = any(segments[one].value == first.value for one in numbers)
    is_list = bool(numbers) and not list_top(segments, Level.UNTERABSATZ)
    return (replace(first, level=Level.NUMMER), *rest) if is_there or is_list else path
