"""What the citations of one call may come to together."""

from dataclasses import dataclass

from fundstelle.lookup.answers import Resolution

MOST_MEMBERS = 400

_OF_READING = 50  # characters that take as long to read as one provision takes to be looked up
_SHORT = 120  # characters that are read in any case: a list of some thirty sections


@dataclass(slots=True)
class Allowance:
    """Provisions that may still be looked up, of all citations of one call.

    Of each citation the first ``least`` are looked up in any case, so that a list of hundreds does
    not leave what stands behind it without an answer.
    """

    least: int
    left: int = MOST_MEMBERS

    @property
    def most(self) -> int:
        """How many of the next citation are looked up."""
        return max(self.least, self.left)

    def refuses(self, written: str) -> bool:
        """Whether it would take too long even to read that."""
        return self.left <= 0 and len(written) > _SHORT

    def note(self, resolution: Resolution) -> None:
        """Take off what a citation took."""
        self.left -= len(resolution.outcomes) + len(resolution.unshown)
        self.left -= len(resolution.written) // _OF_READING
