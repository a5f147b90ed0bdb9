"""What an examination finds."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How it is."""

    OK = "ok"
    NOTE = "note"  # worth knowing; nothing is broken
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about one thing, and what to do about it.

    ``subject`` is a word that scripts may match on.
    """

    subject: str
    state: State
    words: str
    remedy: str = ""

    @classmethod
    def ok(cls, subject: str, words: str) -> "Finding":
        """It is as it should be."""
        return cls(subject, State.OK, words)

    @classmethod
    def note(cls, subject: str, words: str, remedy: str = "") -> "Finding":
        """It is no fault, and yet worth knowing."""
        return cls(subject, State.NOTE, words, remedy)

    @classmethod
    def wrong(cls, subject: str, words: str, remedy: str) -> "Finding":
        """It is a fault."""
        return cls(subject, State.WRONG, words, remedy)
