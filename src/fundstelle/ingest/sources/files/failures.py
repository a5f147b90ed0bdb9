"""What is said where something failed in a way that nobody foresaw."""

import logging
import traceback

from fundstelle.errors import CorpusError, RejectedFile
from fundstelle.ingest.sources.files.patience import TooSlow

_LONGEST = 500  # characters of a parser's words, which may be a file's own

_log = logging.getLogger(__name__)


def tell_unforeseen(error: Exception, what: str) -> str:
    """Why *what* is left as it was, in one line; the log says where it failed.

    Without the error's own words, which may repeat a key or an address with a password.
    """
    kind = type(error).__name__
    where = "".join(traceback.format_tb(error.__traceback__)).rstrip()
    _log.error("%s failed in a way that nobody foresaw (%s):\n%s", what, kind, where)
    return f"it failed in a way that nobody foresaw ({kind}); the log says where"


def tell_failure(error: Exception) -> str:
    """Why a file is left out, in one line: one file must not end the build.

    Raises:
        CorpusError: there is no memory left, which does.
    """
    if isinstance(error, MemoryError):  # not the file's fault, nor that of those behind it
        raise CorpusError(
            "the memory of this machine is spent: free some, or give fewer sources, and run"
            " 'fundstelle ingest' again"
        ) from error
    if isinstance(error, TooSlow):
        return str(error)
    if isinstance(error, RejectedFile):
        return error.reason
    words = " ".join(str(error).split())[:_LONGEST]
    return f"the parser failed on it ({type(error).__name__}: {words})"
