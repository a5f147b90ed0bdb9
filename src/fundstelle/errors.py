"""Every deliberate error of Fundstelle.

```text
FundstelleError
├── InvalidInput            what the caller sent cannot be used      -> tool result, isError
│   ├── InvalidArgument     a value is malformed or out of range     (INVALID_ARGUMENT)
│   └── InvalidFilter       a filter names a value we do not have    (INVALID_FILTER)
├── InvalidIdentifier       a text is not an identifier of that scheme
├── NotFound                it could be read, but is not there
├── Denied                  credentials are missing, wrong, or exhausted
├── SettingsError           the environment is misconfigured; names every problem at once
├── AccountsError           the accounts database or its pepper cannot be used
├── EmbedderError           the model of the semantic search cannot be loaded or asked
├── SourceError             a publisher's file or site cannot be used (ingest)
│   └── RejectedFile        one file is unusable; the rest goes on
└── CorpusError             a build is missing, damaged or incomplete
    └── NoCorpus            there is no active build yet
```

Each class has a stable ``code``; clients and tests match on it, never on the message.
Errors are raised low and translated once at each edge (``mcp.errors``, ``web.errors``, ``cli``).
"""

from collections.abc import Sequence


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


class EmbedderError(FundstelleError):
    """The model of the semantic search cannot be loaded or asked; the search goes on without."""

    code = "embedder"


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


class NoCorpus(CorpusError):
    """There is no active corpus build yet."""

    code = "no_corpus"
