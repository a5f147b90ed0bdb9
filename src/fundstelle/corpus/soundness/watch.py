"""Which build one server process serves, and what it does to learn that this one is damaged."""

import logging
from collections.abc import Hashable
from pathlib import Path

from fundstelle.corpus.soundness import choose
from fundstelle.corpus.soundness.background import CompleteCheck

_log = logging.getLogger("fundstelle.corpus")


class BuildWatch:
    """Chooses the build to serve and has it read whole once a day, in the background."""

    def __init__(self, data_dir: Path, checks: CompleteCheck | None = None) -> None:
        self._data_dir = data_dir
        self._checks = checks or CompleteCheck(data_dir)
        self.choice: choose.Choice | None = None
        """What was chosen last; its ``cause`` says what is wrong with the live build."""

    def identify(self) -> Hashable | None:
        """Changes whenever another build is to be served; quick, for every second or so."""
        if self.choice is not None:
            self._checks.tick(self.choice.release)
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
