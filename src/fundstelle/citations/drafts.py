"""What is being read: a citation before its law is known."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fundstelle.law.citations import PathStep, Repeats


@dataclass(slots=True)
class Draft:
    """One norm of a list. ``unit`` is the sign as typed: "§", "Art", "Anlage", "Erwg"."""

    unit: str
    number: str | None
    start: int
    end: int
    number_end: str | None = None
    follow: str | None = None
    path: list[PathStep] = field(default_factory=list)
    plural: bool = False
    bracketed: bool = False  # the first step was written "(1)"
    lettered: bool = False  # "f" behind the number may be its letter
    repeats: Repeats | None = None
    below: "Draft | None" = None  # the section as read, where "§§" stands below an Artikel


class LawReference(NamedTuple):
    """The law that a list is bound to, as written or as the registry knows it.

    ``name_end`` is where its name ends, before brackets and the words on its version; 0: at
    ``end``.
    ``unread`` are words before it of which nothing is looked up ("a. E.").
    ``silent`` marks what is no law: a contract, a club's statutes, a magazine.
    """

    name: str | None
    end: int
    celex: str | None = None
    unit: str | None = None
    version: str | None = None
    definitions: str | None = None
    known: bool = True
    silent: bool = False
    of_land: bool = False  # the Bund has one of that name, and a Land stands with it
    own: bool = False  # "dieses Gesetzes": the law whose text this is
    notes: tuple[str, ...] = ()
    name_end: int = 0
    unread: tuple[int, int] | None = None


@dataclass(slots=True)
class Group:
    """Norms bound to one law, or to none; ``apart``: which of two laws they are of is not said."""

    drafts: Sequence[Draft]
    law: LawReference | None
    start: int
    end: int
    apart: bool = False
