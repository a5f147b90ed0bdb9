"""Keeps a replica beside a target: what is next there lies ready here, what is live is live."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.soundness.choose import find_damage
from fundstelle.corpus.travel.target import LIVE, NEXT, Target, read_release
from fundstelle.errors import CorpusError

_FIRST_PAUSE_S = 2.0
_LONGEST_PAUSE_S = 600.0  # a release that is refused was fetched whole before that


@dataclass(frozen=True, slots=True)
class Step:
    """What one look came to; ``None`` where there was nothing to do."""

    ready: str | None = None  # the release that was fetched
    live: str | None = None  # the release that was made live


class Following:
    """A replica's looks at a target.

    The live release comes first: it is made live as soon as it is here, before what is next is
    fetched. A build that is here and damaged is fetched anew, as far as a quick check tells or a
    complete one has told: a look reads no large file, and one that finds nothing new writes none.

    Args:
        data_dir: the replica's.
        target: what it follows.
        fetch: fetches a release whole, or raises; called only for one that is not here, or damaged.
        clock: seconds.
    """

    def __init__(
        self,
        data_dir: Path,
        target: Target,
        fetch: Callable[[str], object],
        clock: Callable[[], float],
    ) -> None:
        self._data_dir = data_dir
        self._target = target
        self._fetch = fetch
        self._clock = clock
        self._failed: tuple[str | None, str | None] | None = None  # live and next, at that time
        self._pause = 0.0
        self._due = 0.0

    def look(self) -> Step:
        """Look once, and do as the target says.

        What failed is tried again after a pause, which grows to ten minutes; at once, where the
        target names another release.

        Raises:
            CorpusError: the target cannot be read, or a release cannot be fetched; what was live
                is live.
        """
        named = read_release(self._target, LIVE), read_release(self._target, NEXT)
        if named == self._failed and self._clock() < self._due:
            return Step()
        try:
            step = self._take(*named)
        except CorpusError:
            self._pause = min(2 * self._pause, _LONGEST_PAUSE_S) if named == self._failed else 0.0
            self._pause = self._pause or _FIRST_PAUSE_S
            self._failed, self._due = named, self._clock() + self._pause
            raise
        self._failed = None
        return step

    def _take(self, live: str | None, following: str | None) -> Step:
        if live is not None:
            fetched = self._have(live)
            if live != builds.read_pointer(self._data_dir):
                builds.activate(self._data_dir, live)
                return Step(fetched, live)
            if fetched is not None:
                return Step(fetched)
        return Step() if following is None else Step(self._have(following))

    def _have(self, release: str) -> str | None:
        """See that it is here; the release, if it had to be fetched."""
        with suppress(CorpusError):  # it is not, or it is damaged
            if not find_damage(self._data_dir, release):
                return None
        self._fetch(release)
        return release
