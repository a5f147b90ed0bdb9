"""What is said of a file on which a parser failed in a way that nobody foresaw."""

from fundstelle.errors import CorpusError, RejectedFile
from fundstelle.ingest.sources.files.patience import TooSlow


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
    words = " ".join(str(error).split())
    return f"the parser failed on it ({type(error).__name__}: {words})"
