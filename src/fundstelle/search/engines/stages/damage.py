"""What a damaged index does to its reader, in the words of the house.

An engine answers a file that is not what was written with a ``ValueError``, tantivy with a panic
of its Rust code, too. A panic is no ``Exception``: uncaught it ends the request, or the thread,
without a line.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from fundstelle.errors import DamagedBuild

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

_PANIC = "PanicException"  # of pyo3_runtime, which cannot be imported


def says_damage(read: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Let a function that reads an index raise ``DamagedBuild`` where it cannot go on."""

    @wraps(read)
    def reading(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        try:
            return read(*args, **kwargs)
        except (ValueError, IndexError, KeyError, EOFError, OSError) as error:
            raise _explain(error) from error
        except BaseException as error:
            if type(error).__name__ != _PANIC:
                raise
            raise _explain(error) from None

    return reading


def _explain(error: BaseException) -> DamagedBuild:
    return DamagedBuild(f"the search index cannot be read ({type(error).__name__})")
