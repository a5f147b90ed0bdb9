"""Every deliberate error of Fundstelle.

```text
FundstelleError
├── InvalidInput            what the caller sent cannot be used      -> tool result, isError
│   ├── InvalidArgument     a value is malformed or out of range     (INVALID_ARGUMENT)
│   └── InvalidFilter       a filter names a value we do not have    (INVALID_FILTER)
├── InvalidIdentifier       a text is not an identifier of that scheme
├── NotFound                it could be read, but is not there
├── Denied                  credentials are missing, wrong, or exhausted
├── CallCut                 an answer took too long to work out      -> tool result, INTERNAL
├── Busy                    what it takes is in use; says when to come back
├── SettingsError           the environment is misconfigured; names every problem at once
├── AccountsError           the accounts database or its pepper cannot be used
│   ├── AccountsUnavailable the database does not answer now, or cannot be written
│   └── UnreadHead          what the server has seen of its audit log cannot be read
├── BackupError             a backup cannot be made, is damaged, or cannot be restored
├── EmbedderError           the model of the semantic search cannot be loaded or asked
├── SearchUnavailable       the search cluster does not answer   -> tool result, SOURCE_UNAVAILABLE
├── SourceError             a publisher's file or site cannot be used (ingest)
│   └── RejectedFile        one file is unusable; the rest goes on
└── CorpusError             a build is missing, damaged or incomplete
    ├── DamagedBuild        what was read is not what was written    -> tool result, INTERNAL
    ├── OtherVersion        the live build is of another version, and no other can be served
    └── NoCorpus            there is no active build yet
```

Each class has a stable ``code``; clients and tests match on it, never on the message.
Errors are raised low and translated once at each edge (``mcp.errors``, ``web.app``,
``portal.site``, ``cli``).
"""

import traceback
from collections.abc import Sequence
from pathlib import Path

_QUOTED = 200  # characters


class FundstelleError(Exception):
    """Base of every deliberate error. The message is one sentence and a next step."""

    code = "internal"


class InvalidInput(FundstelleError):
    """What the caller sent cannot be used as it is."""

    code = "INVALID_ARGUMENT"

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        allowed_values: Sequence[str] = (),
        example: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.allowed_values = tuple(allowed_values)
        self.example = example


class InvalidArgument(InvalidInput):
    """A value is missing, malformed, unknown or out of range."""

    code = "INVALID_ARGUMENT"


class InvalidFilter(InvalidInput):
    """A filter names a value that does not exist; ``allowed_values`` says which do."""

    code = "INVALID_FILTER"


class InvalidIdentifier(FundstelleError):
    """A text does not have the form of the identifier it should be."""

    code = "invalid_identifier"

    def __init__(self, scheme: str, text: str) -> None:
        super().__init__(f"{text!r} is not a {scheme}")
        self.scheme = scheme
        self.text = text


class NotFound(FundstelleError):
    """It could be read, but it is not there."""

    code = "not_found"


class Denied(FundstelleError):
    """Credentials are missing, wrong, expired, revoked or exhausted."""

    code = "denied"


class CallCut(FundstelleError):
    """The answer took longer to work out than one call may; the work was stopped."""

    code = "call_cut"

    def __init__(self, budget_s: float) -> None:
        super().__init__(
            f"this took more than {budget_s:g} s to work out and was stopped; try a shorter one"
        )


class Busy(FundstelleError):
    """What a request takes is in use by others now; ``retry_after_s`` says when to come back."""

    code = "busy"

    def __init__(self, message: str, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class SettingsError(FundstelleError):
    """The environment is misconfigured.

    ``problems`` holds one sentence for each setting that is wrong, so that all can be mended at
    once.
    """

    code = "settings"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class AccountsError(FundstelleError):
    """The accounts database or its pepper cannot be used."""

    code = "accounts"


class AccountsUnavailable(AccountsError):
    """The accounts database does not answer now, or cannot be written; it may be back soon."""

    code = "accounts_unavailable"


class UnreadHead(AccountsError):
    """What this server has seen of the audit log is kept in a file that cannot be read."""

    code = "unread_head"


class BackupError(FundstelleError):
    """A backup cannot be made, is damaged, or cannot be restored."""

    code = "backup"


class EmbedderError(FundstelleError):
    """The model of the semantic search cannot be loaded or asked; the search goes on without."""

    code = "embedder"


class SearchUnavailable(FundstelleError):
    """The cluster that is searched does not answer now; it may be back soon.

    ``kind`` says in a few words what came instead, never what was asked; ``advice`` what whoever
    runs the server does about it, where that is known. ``status`` is that of HTTP, if one came.
    """

    code = "search_unavailable"

    def __init__(self, kind: str, advice: str = "", status: int | None = None) -> None:
        super().__init__(
            f"the search cluster cannot be used ({kind}): {advice}"
            if advice
            else f"the search does not answer now ({kind}); try again in a moment. Provisions and"
            " decisions that you can cite can be looked up meanwhile"
        )
        self.kind = kind
        self.advice = advice
        self.status = status

    def __reduce__(self) -> tuple[type["SearchUnavailable"], tuple[str, str, int | None]]:
        """Survive the way back from a worker process."""
        return (type(self), (self.kind, self.advice, self.status))


class SourceError(FundstelleError):
    """A publisher's archive, folder or site cannot be used."""

    code = "source"


class RejectedFile(SourceError):
    """One file of a source is unusable; it is named in the manifest and the rest goes on."""

    code = "rejected_file"

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason

    def __reduce__(self) -> tuple[type["RejectedFile"], tuple[str, str]]:
        """Survive the way back from a worker process."""
        return (type(self), (self.name, self.reason))


class CorpusError(FundstelleError):
    """A corpus build is missing, damaged or incomplete."""

    code = "corpus"


class DamagedBuild(CorpusError):
    """What was read from a build is not what was written into it; it is never given out.

    Clients see the message, so it names no file; 'fundstelle corpus verify' does.
    """

    code = "damaged_build"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}; it is not given out. Whoever runs this server: 'fundstelle corpus verify'"
            " names what is damaged, 'fundstelle ingest' builds it again"
        )
        self.what = what

    def __reduce__(self) -> tuple[type["DamagedBuild"], tuple[str]]:
        """Survive the way back from a worker process."""
        return (type(self), (self.what,))


class OtherVersion(CorpusError):
    """The live build was made by another version of Fundstelle, and none of this one is there."""

    code = "other_version"


class NoCorpus(CorpusError):
    """There is no active corpus build yet."""

    code = "no_corpus"


def explain(error: BaseException) -> str:
    """What an operator's log may say of an error: never a value that was asked for.

    Of a deliberate error its sentence; of any other its type and where it was raised, of the
    operating system's also what it says.
    """
    if isinstance(error, FundstelleError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(f.filename).name}:{f.lineno} in {f.name}" for f in reversed(frames[-3:])]
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        kind = f"{kind} ({error.strerror})"
    return f"{kind} at {', '.join(places)}" if places else kind


def quote_error(error: BaseException) -> str:
    """What an error says of a file that anybody may have written: a line, and not a long one.

    It may quote the file, whose words could be of any length and steer a terminal.
    """
    said = str(error)
    line = "".join(each if each.isprintable() else "\ufffd" for each in said[:_QUOTED])
    return line if len(said) <= _QUOTED else f"{line}…"
