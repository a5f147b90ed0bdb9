"""What is said of a file on which a parser failed in a way that nobody foresaw."""

from fundstelle.errors import RejectedFile


def tell_failure(error: Exception) -> str:
    """Why a file is left out, in one line: one file must not end the build."""
    if isinstance(error, RejectedFile):
        return error.reason
    words = " ".join(str(error).split())
    return f"the parser failed on it ({type(error).__name__}: {words})"
