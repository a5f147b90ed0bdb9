"""What a backup holds: names, sizes and hashes of its files, and what they belong to."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import orjson

from fundstelle.accounts.audit.head import HEAD_FILE
from fundstelle.accounts.database.store import DATABASE, PEPPER
from fundstelle.corpus.proof.signing import KEY_FILE
from fundstelle.corpus.updates import LOOKS
from fundstelle.errors import BackupError

FORMAT = 1
MANIFEST = "manifest.json"
POINTER = "active"
DUMP = "accounts.pgdump"
BUILDS = "builds"
HEADS = f"{HEAD_FILE}*.json"
MOST_MANIFEST_BYTES = 64 * 1024 * 1024
MOST_FILES = 500_000  # of our names no manifest of that size has as many

_PART = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._+-]{1,200}"  # neither . nor ..
_NAME = re.compile(
    rf"{re.escape(DATABASE)}|{re.escape(DUMP)}|{PEPPER}|{re.escape(KEY_FILE)}|{POINTER}|{HEAD_FILE}(-[0-9a-f]{{12}})?\.json"
    rf"|{BUILDS}/[0-9a-f]{{16}}(/{_PART}){{1,8}}|{LOOKS}/(?:{_PART}/){{1,3}}{_PART}"
)


@dataclass(frozen=True, slots=True)
class File:
    """A file of a backup; ``sha256`` in hexadecimal."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself.

    ``accounts``: sqlite, or postgresql, of which there may be a dump in it. ``pepper``: its
    fingerprint, as the database knows it. ``release``: the live build's, whether it is in the
    backup or not.
    """

    created: str
    fundstelle: str
    accounts: str
    pepper: str
    release: str | None
    files: Mapping[str, File] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def has_accounts(self) -> bool:
        """Whether the database of the accounts is in the backup."""
        return not self.files.keys().isdisjoint({DATABASE, DUMP})

    @property
    def has_build(self) -> bool:
        """Whether the live build is in the backup."""
        start = f"{BUILDS}/{self.release}/"
        return any(name.startswith(start) for name in self.files)

    @property
    def build_manifest(self) -> str:
        """The name of the live build's own manifest."""
        return f"{BUILDS}/{self.release}/{MANIFEST}"

    def check(self) -> None:
        """See that it says what ours do; it is printed.

        Raises:
            ValueError: it does not.
        """
        texts = (self.created, self.fundstelle, self.accounts, self.pepper, self.release or "")
        if not all(isinstance(text, str) and text.isprintable() for text in texts):
            raise ValueError("no text")

    def dump(self) -> bytes:
        """As JSON."""
        return orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)

    @classmethod
    def load(cls, data: bytes) -> Self:
        """Read it again.

        Raises:
            BackupError: it is of another version, or no manifest.
        """
        try:
            said: dict[str, Any] = orjson.loads(data)
            if said["format"] != FORMAT:
                raise BackupError(
                    f"the backup has format {said['format']!r}, this version reads {FORMAT};"
                    " restore it with the version of Fundstelle that made it"
                )
            files = {name: File(**one) for name, one in said.pop("files").items()}
            read = cls(**said, files=files)
            read.check()
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BackupError("the manifest of the backup cannot be read") from None
        return read


def is_allowed(name: str) -> bool:
    """Whether a backup may hold a file of this name: nothing outside the data folder."""
    return _NAME.fullmatch(name) is not None
