"""What may be said of arguments in a log: names that are ours, types, lengths, counts. No words."""

from collections.abc import Collection, Mapping
from typing import Any

_MOST_SAID = 12


def describe_shape(arguments: Mapping[str, Any], names: Collection[str]) -> str:
    """Such as ``citation: text of 12, citations: 3 texts of at most 40``.

    Args:
        arguments: as they were sent.
        names: those that are known; any other may be a word of the caller's own.
    """
    said = [
        f"{name if name in names else 'other'}: {_describe(value)}"
        for name, value in tuple(arguments.items())[:_MOST_SAID]
    ]
    more = len(arguments) - len(said)
    return ", ".join([*said, f"{more} more"] if more else said) or "none"


def _describe(value: Any) -> str:
    if isinstance(value, str):
        return f"text of {len(value)}"
    if isinstance(value, list):
        lengths = [len(each) for each in value if isinstance(each, str)]
        if lengths and len(lengths) == len(value):
            return f"{len(value)} texts of at most {max(lengths)}, {sum(lengths)} in all"
        return f"list of {len(value)}"
    if isinstance(value, Mapping):
        return f"object of {len(value)}"
    return type(value).__name__
