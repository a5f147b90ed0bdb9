"""How much a publisher may say of a text beside it: answers cut texts, and give the rest whole.

The longest name in federal law has 825 characters, the longest notes at one provision 17,693.
"""

from collections.abc import Iterable, Iterator

from fundstelle.law.decisions import Decision, DecisionText
from fundstelle.law.norms import Fassung, Norm, Statute

LONGEST_NAME = 20_000
MOST_NOTES = 200_000  # of one text, together


def _find_excess(parts: Iterable[tuple[str | None, ...]], most: int) -> str | None:
    """What is said of the first of some names that are together longer than ``most``."""
    for part in parts:
        length = sum(map(len, filter(None, part)))
        if length > most:
            return f"what it says beside a text has {length:,} characters, more than any"
    return None


def find_excess_of_norms(
    statute: Statute, norms: Iterable[tuple[Norm, Iterable[Fassung]]]
) -> str | None:
    """What a statute says too much beside its texts; ``None`` if it does not."""
    of_law = statute.title, statute.short_title, statute.publication, statute.abbreviation
    stand = tuple(note.text for note in statute.stand_notes)
    held = [(norm, tuple(fassungen)) for norm, fassungen in norms]
    return (
        _find_excess([(*of_law, *statute.abbreviations_juris)], LONGEST_NAME)
        or _find_excess([stand], MOST_NOTES)
        or _find_excess((_list_names(norm) for norm, _ in held), LONGEST_NAME)
        or _find_excess(_iter_notes(one for _, fassungen in held for one in fassungen), MOST_NOTES)
    )


def find_excess_of_decision(decision: Decision, text: DecisionText) -> str | None:
    """The same of a decision."""
    names = decision.court, decision.panel, decision.ecli, decision.title
    lower = tuple(one.text for one in decision.lower_instances)
    labels = tuple(part.label for part in text.parts)
    return _find_excess([names, labels], LONGEST_NAME) or _find_excess(
        [(decision.norms, *decision.dockets, *lower, *decision.doubts)], MOST_NOTES
    )


def _list_names(norm: Norm) -> tuple[str | None, ...]:
    return norm.label, norm.title, norm.citation, norm.norm_id, *norm.hierarchy


def _iter_notes(fassungen: Iterable[Fassung]) -> Iterator[tuple[str | None, ...]]:
    for one in fassungen:
        above = (one.headings.title, *one.headings.hierarchy) if one.headings else ()
        yield *one.footnotes, *one.notes, *above
