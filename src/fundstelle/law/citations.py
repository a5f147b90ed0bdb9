"""Citations as values: what a written citation says, before anything is looked up."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

FOLLOWING = frozenset({"f", "ff"})


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step below the section, in the order of the law.

    ``level`` is a value of ``law.norms.Level``; ``to`` ends a range ("Satz 1 bis 3") or is "ff".
    ``reaches``: an "f" or "ff" there is the letter that a range ends with ("Buchst. a bis f").
    ``bare`` is a value that no word calls what it is: the number before may bear the letter
    ("Nr. 4 a"), and a number may be another provision ("Art. 6 Abs. 1, 13"). ``several``: the
    words before announce more than one ("§§"). ``plural``: its word calls the next so, too
    ("Absätze 1 und 7"). ``bracketed``: the first step was written "(1)", so the text tells whether
    that is a paragraph or a number. ``lettered``: its letter may be of the number before, or its
    "f" or "ff" may be one ("III a", "Abs. 1 a", "Abs 2 f", "Buchst. b ff"). ``behind`` is the path
    before a comma that the step may go on from ("Buchst. f, Satz 2").
    """

    level: str
    value: str
    to: str | None = None
    reaches: bool = False
    bare: bool = field(default=False, compare=False, repr=False)
    several: bool = field(default=False, compare=False, repr=False)
    plural: bool = field(default=False, compare=False, repr=False)
    bracketed: bool = field(default=False, compare=False, repr=False)
    lettered: bool = field(default=False, compare=False, repr=False)
    behind: "tuple[PathStep, ...]" = field(default=(), compare=False, repr=False)

    @property
    def follows(self) -> bool:
        """Whether the part is cited with those behind it: "f." or "ff."."""
        return self.to in FOLLOWING and not self.reaches


def end_range(step: PathStep, to: str) -> PathStep:
    """The step as the first of a range to ``to``, which may be the letter f."""
    return replace(step, to=to, reaches=to in FOLLOWING)


def write_path(path: Sequence[PathStep]) -> str:
    """A path as edges of the citation graph keep it: "abs=1/satz=2", "" for the whole section.

    A § below an Artikel belongs to the number (``229/5``) and is left out.
    """
    return "/".join(f"{step.level}={step.value}" for step in path if step.level != "§")


def name_section(section: str, path: str) -> str:
    """The path in a norm that stands for several sections: "§=5/abs=1" in "§§ 4 bis 6"."""
    return "/".join(filter(None, (f"§={section}" if section else "", path)))


def drop_silent(path: str) -> str:
    """A written path without the Sätze and Unterabsätze before a number: "satz=1/nr=2" -> "nr=2".

    Citations leave them out where a list stands in one sentence.
    """
    *above, last = path.split("/")
    return "/".join([step for step in above if not step.startswith(("satz=", "uabs="))] + [last])


Repeats = tuple[str, tuple[PathStep, ...]]
"""The number of a section, and the path whose last value a bare number may repeat."""


@dataclass(frozen=True, slots=True)
class NormCitation:
    """A citation of German law: ``§ 312g Abs. 2 Satz 1 Nr. 1 BGB``.

    ``law`` is the canonical abbreviation, or as written where it is not known; ``None`` if none
    is named.
    ``unit`` is what the law uses ("§", "Art", "Anlage", "Präambel"), ``None`` for a whole law.
    Of a range ``path`` is of its last number; where it begins in a part (``§ 573 Abs. 1 bis § 574
    Abs. 2``) a step "§" stands between the two (``split_ends``).
    """

    law: str | None
    unit: str | None = None
    number: str | None = None
    number_end: str | None = None  # "bis": last number of a range
    follow: str | None = None  # "f" or "ff"
    path: tuple[PathStep, ...] = ()
    version: str | None = None  # "aF", "nF", a year, "asof:2001-12-31", "until:2001-12-31"
    lettered: bool = field(default=False, compare=False, repr=False)  # "f" may be a letter: "§§ 5f"
    # what the number may be a further value of: "§§ 2 Abs. 1, 3" of § 2, "Abs. 1"
    repeats: Repeats | None = field(default=None, compare=False, repr=False)


def split_ends(path: tuple[PathStep, ...]) -> tuple[tuple[PathStep, ...], tuple[PathStep, ...]]:
    """The parts that a range begins and ends with; mostly it has none at its beginning."""
    middle = next((at for at, step in enumerate(path) if at and step.level == "§"), None)
    return ((), path) if middle is None else (path[:middle], path[middle + 1 :])


def name_ends(citation: NormCitation) -> NormCitation:
    """``Art. 229 §§ 5 bis 7`` as its ids count: from 229/5 to 229/7, with what is below them.

    Whatever is no range of sections below an Artikel stays as it is.
    """
    first = citation.path[0] if citation.path else None
    if first is None or first.level != "§" or not first.to or citation.number_end:
        return citation
    follows = first.follows
    return replace(
        citation,
        number=f"{citation.number}/{first.value}",
        number_end=None if follows else f"{citation.number}/{first.to}",
        follow=first.to if follows else None,
        path=citation.path[1:],
    )


@dataclass(frozen=True, slots=True)
class EuCitation:
    """A citation of an EU act; fields as in ``NormCitation``."""

    celex: str
    law: str | None = None
    unit: str | None = None
    number: str | None = None
    number_end: str | None = None
    follow: str | None = None
    path: tuple[PathStep, ...] = ()
    version: str | None = None
    lettered: bool = field(default=False, compare=False, repr=False)
    repeats: Repeats | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DecisionCitation:
    """A citation of a court decision; ``issued_on`` is ISO ``YYYY-MM-DD``.

    ``docket`` is the Aktenzeichen in its official spelling; at the EGMR the application number.
    """

    court: str | None = None
    docket: str | None = None
    issued_on: str | None = None
    ecli: str | None = None


@dataclass(frozen=True, slots=True)
class GazetteCitation:
    """A Fundstelle in a gazette: ``BGBl. I 2001 S. 3138``."""

    gazette: str
    year: str | None
    part: str | None
    page: str | None


@dataclass(frozen=True, slots=True)
class ReporterCitation:
    """A page of a collection or journal: ``BVerfGE 7, 198``, ``NJW 2004, 1234``.

    ``volume`` is a volume, a year or the key of a collection (``4-2700 § 8``); ``court`` is the
    court named with it.
    """

    reporter: str
    volume: str
    page: str
    court: str | None = None


@dataclass(frozen=True, slots=True)
class MaterialCitation:
    """A printed paper of parliament: ``BT-Drs. 17/12299``."""

    kind: str  # "BT-Drs." | "BR-Drs."
    number: str


Target = (
    NormCitation
    | EuCitation
    | DecisionCitation
    | GazetteCitation
    | ReporterCitation
    | MaterialCitation
)


@dataclass(frozen=True, slots=True)
class FoundCitation:
    """A citation found in a text. Offsets are code points in the caller's text, half-open."""

    start: int
    end: int
    text: str  # exactly text[start:end] of the caller
    targets: tuple[Target, ...]
    inferred: bool = False  # the law came from context
    normalised: tuple[str, ...] = ()  # what was changed to read it, in words
    apart: bool = False  # a law is named beside it that was not read with it
