"""A memory of what was made of texts, bounded by their number and by their length.

Texts come from strangers: a limit of their number alone lets some thousands of long ones fill the
memory of a server.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")


def remember_short(
    maxsize: int, longest: int
) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Keep what a function made of the last texts of at most ``longest`` characters.

    Args:
        maxsize: of how many texts.
        longest: one that is longer is worked out each time.
    """

    def decorate(make: Callable[[str], T]) -> Callable[[str], T]:
        kept = lru_cache(maxsize=maxsize)(make)

        def find(text: str) -> T:
            return kept(text) if len(text) <= longest else make(text)

        find.__doc__ = make.__doc__
        return find

    return decorate
