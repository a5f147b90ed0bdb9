"""Values as a build holds them, read by a version that may know fewer fields of them.

What a version does not know it passes over: a field that comes without a new schema only adds to
what is said (docs/adr/0002-storage.md).
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def build_known(kind: Callable[..., T], given: Mapping[str, Any]) -> T:
    """A value of that dataclass, of those of its fields that are given."""
    return kind(**{name: given[name] for name in _list_names(kind) if name in given})


@cache
def _list_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.init)
