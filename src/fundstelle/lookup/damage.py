"""What is said while the build that answers is known to be damaged.

Each text that is given fits what was written of it. That there is none, or nothing else, may be
because an index has lost an entry: then nothing is denied, and nothing confirmed, by a verdict.
"""

from fundstelle.lookup.library import Library

WARNING = (
    "The corpus build that answers is damaged: texts are given only as they were written, but"
    " something that exists may not be found, and lists may lack something. Check at the source"
    " what is said not to exist, to be repealed or not to be held."
)
REASON = "The corpus build is damaged; nothing is sure."
"""Of a verdict."""


def warn_of_damage(library: Library) -> list[str]:
    """The sentence for every answer; nothing while nothing is known to be damaged."""
    return [WARNING] if library.is_damaged() else []
