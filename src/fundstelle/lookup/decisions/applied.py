"""Whether the text held of a provision can be the one that a court applied on its day."""

from dataclasses import dataclass
from datetime import date, timedelta

from fundstelle.law.norms import NormStatus, Statute, choose_read_day
from fundstelle.lookup.dating.days import describe_days, find_floor
from fundstelle.lookup.library import Library


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a provision or law over time.

    ``law_since`` is the day of the law itself: before it another law may have borne its name.
    ``text_since`` is the first day on which the newest text is known, ``None`` where only one is
    held; up to ``other_until`` it is known that it read differently, and which text held on the
    days between the two no look can say. ``is_exact``: something says that it came into force
    then. ``older_day`` is a day on which an older text, that is held, applied. ``floor`` is the
    first day that the build speaks for: of an act of the Union that is held as published, the day
    of its text.
    """

    citation: str
    law: str
    repealed: bool
    law_since: date | None
    text_since: date | None
    older_day: date | None
    floor: date
    other_until: date | None = None
    is_exact: bool = False

    def is_other_law(self, day: date) -> bool:
        """Whether the law did not exist yet on that day."""
        return self.law_since is not None and day < self.law_since

    def is_other_text(self, day: date) -> bool:
        """Whether the provision is known to have read differently on that day."""
        return self.other_until is not None and day <= self.other_until

    def is_between(self, day: date) -> bool:
        """Whether the day lies between the last look at an older text and the first at this."""
        is_before = self.text_since is not None and day < self.text_since
        return is_before and not self.is_other_text(day)

    def is_unknown(self, day: date) -> bool:
        """Whether nothing is known of its words on that day."""
        return self.text_since is None and day < self.floor


def find_standing(library: Library, cited_id: str) -> Standing | None:
    """The standing of a norm or statute; ``None`` for a decision or what is not held."""
    store = library.store
    statute = store.statutes.get(cited_id)
    if statute is not None:
        name, floor = statute.abbreviation, find_floor(library, statute)
        return Standing(name, name, not statute.listed, _read_day(statute), None, None, floor)
    norm = store.find_norm(cited_id)
    if norm is None:
        return None
    statute = store.statutes[norm.statute_id]
    heads = store.list_fassungen(norm.norm_id)
    newest = describe_days(store.manifest, statute, heads)[-1] if heads else None
    other: date | None
    since = heads[-1].in_force_from if heads else None
    exact = since is not None and newest is not None and newest.valid_from == since
    if exact and since is not None:
        other = since - timedelta(days=1)
    elif since is not None and len(heads) > 1:
        other = choose_read_day(heads[-2].stand, heads[-2].in_force_from)
    else:
        other = newest.not_seen_before if newest is not None else None
    ended = [head.in_force_until for head in heads if head.in_force_until is not None]
    return Standing(
        norm.citation,
        statute.abbreviation,
        norm.status is NormStatus.REPEALED,
        _read_day(statute),
        since,
        ended[-1] - timedelta(days=1) if ended else None,
        find_floor(library, statute),
        other,
        exact,
    )


def _read_day(statute: Statute) -> date | None:
    """The day of a German law; that of an EU act may be a later consolidation's."""
    return statute.issued_on if statute.jurisdiction == "de" else None
