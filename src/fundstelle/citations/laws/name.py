"""A law under the names it goes by."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LawName:
    """A law under the names it goes by.

    ``unit`` is what its provisions are called ("§" or "Art"), ``None`` where that is not known.
    ``definitions`` is the article whose numbered items are cited as Nr. ``valid_from`` and
    ``valid_until`` (ISO, the latter exclusive) are known for laws that were replaced or replace
    another; ``successors`` are canonical abbreviations, the chief one first.
    """

    abbreviation: str
    unit: str | None = None
    aliases: tuple[str, ...] = ()
    long_names: tuple[str, ...] = ()
    celex: str | None = None
    statute_id: str | None = None
    definitions: str | None = None
    by_hand: bool = False
    valid_from: str | None = None
    valid_until: str | None = None
    successors: tuple[str, ...] = ()
    nature: str | None = None  # "administrative", "private rules", "treaty" …; None = a law

    @property
    def successor(self) -> str | None:
        """The law that chiefly replaced this one."""
        return self.successors[0] if self.successors else None
