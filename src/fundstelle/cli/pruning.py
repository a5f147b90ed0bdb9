"""Deleting older builds where nobody is there to do it: beside updates and replicas."""

from contextlib import suppress
from pathlib import Path

from fundstelle.cli.terminal import say
from fundstelle.corpus import builds
from fundstelle.corpus.soundness.choose import choose_build
from fundstelle.errors import CorpusError

KEPT = 3
"""The live build, the one before, to go back to, and one more."""


def find_served(data: Path) -> str | None:
    """The build that is served: the live one, or the one that stands in for it."""
    with suppress(CorpusError):  # nothing is, or nothing sound
        return choose_build(data).release
    return None


def delete_older(data: Path, keep: int, *needed: str | None) -> None:
    """Delete what nobody needs any more, and say what; what is served stays.

    So does what is ``needed``: the build that was live before, since after a rollback those that
    were newer may be bad, and one that is to be live next.

    Raises:
        CorpusError: no build is sound, another ingestion runs, or not all of it could be deleted.
    """
    with builds.explained(data), builds.lock(data):
        for gone in builds.prune(data, keep, choose_build(data).release, *needed):
            say(f"deleted {gone}")
