"""Which build one server process serves, and what it does to learn that this one is damaged."""

import logging
import time
from collections.abc import Callable, Hashable
from pathlib import Path

from fundstelle.corpus.soundness import choose
from fundstelle.corpus.soundness.background import CompleteCheck

DOUBTED = (
    "a request met a text or an index of the build in use that is not what was written; the build"
    " is being read whole, or was and no file differs: 'fundstelle corpus verify' says which"
)

_DOUBTED_S = 600.0  # since a request met damage last

_log = logging.getLogger("fundstelle.corpus")


class BuildWatch:
    """Chooses the build to serve and has it read whole, in the background.

    Once a day, and at once when a request has met damage.

    Args:
        data_dir: the folder of builds.
        checks: reads a build whole.
        clock: seconds, for how long a doubt is told.
    """

    def __init__(
        self,
        data_dir: Path,
        checks: CompleteCheck | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._data_dir = data_dir
        self._checks = checks or CompleteCheck(data_dir)
        self._clock = clock
        self._met: tuple[str, float] | None = None  # the build in which damage was met, and when
        self._asks = False  # whether a check has still to be asked for
        self.choice: choose.Choice | None = None
        """What was chosen last; its ``cause`` says what is wrong with the live build."""

    def meet_damage(self, release: str) -> None:
        """A request has read what was not written so; called in any thread, quick.

        The next ``identify`` sees to it that the build is checked.
        """
        self._met = release, self._clock()
        self._asks = True

    @property
    def doubts(self) -> tuple[str, ...]:
        """What requests have met in the build in use, in words for everybody."""
        choice, met = self.choice, self._met
        if choice is None or met is None or choice.release != met[0]:
            return ()
        if choice.release == choice.live and choice.findings:
            return ()  # the notice says it
        return (DOUBTED,) if self._clock() - met[1] < _DOUBTED_S else ()

    def identify(self) -> Hashable | None:
        """Changes whenever another build is to be served; quick, for every second or so."""
        if self.choice is not None:
            asks, self._asks = self._asks and self.doubts != (), False
            if not self._checks.tick(self.choice.release, doubted=asks):
                self._asks = asks or self._asks
        return choose.identify(self._data_dir, self.choice.release if self.choice else "")

    def choose(self) -> choose.Choice:
        """The build to serve now; that it is not the live one is logged.

        Raises:
            CorpusError: there is none.
        """
        choice = choose.choose_build(self._data_dir)
        if choice.cause is not None and choice != self.choice:
            _log.error("%s", choice.cause)
        self.choice = choice
        return choice
