"""Numbers of a law that its publisher passes over without a word.

Where provisions fell away the publisher mostly keeps their numbers, "§§ 3 bis 6 (weggefallen)". Of
some laws it does not, and of the Constitution of 1919 it prints only what still applies. Such a
number is not denied: whether there was a provision its text does not say.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall, Place, Suggestion
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.reasons import part_not_held

_DIGITS = re.compile(r"(?:art-|par-)?(\d{1,5})")  # where a law counts both


def find_skipped(
    library: Library, statute: Statute, number: str, kind: NormKind | None
) -> Callable[[str, Statute, str], Miss] | None:
    """The miss for a number that the publisher's text of a law of the Bund passes over."""
    if statute.statute_id.startswith("eu/"):
        return None
    first, last = library.store.find_ends(statute.statute_id, kind)
    before, after = library.store.find_neighbours(statute.statute_id, number, kind)
    evidence = Evidence(_place(first), _place(last), _place(before), _place(after))
    if first is not None and _count(first.number) > 1:
        return partial(_beyond_the_rest, evidence=evidence)
    if not number.isdecimal() or before is None or after is None:
        return None
    if not _count(before.number_end or before.number) < _count(number) < _count(after.number):
        return None
    return partial(_skipped, around=(before, after), evidence=evidence)


def lacks_number(miss: Miss) -> bool:
    """Whether the law is held and has nothing under the number that is cited."""
    is_skipped = miss.status == "not_in_corpus" and miss.evidence.first is not None
    return is_skipped or miss.status == "norm_does_not_exist"


def _place(norm: Norm | None) -> Place | None:
    return None if norm is None else Place(norm.citation, norm.norm_id)


def _count(number: str) -> int:
    """The number without its letters; 0 for one that begins otherwise."""
    found = _DIGITS.match(number)
    return int(found[1]) if found else 0


def _beyond_the_rest(written: str, statute: Statute, citation: str, evidence: Evidence) -> Miss:
    """Of the law the publisher has what is left of it, which does not begin at its beginning."""
    return replace(part_not_held(written, statute, citation), evidence=evidence)


def _skipped(
    written: str,
    statute: Statute,
    citation: str,
    around: tuple[Norm, Norm],
    evidence: Evidence,
) -> Miss:
    before, after = around
    return Miss(
        written,
        "not_in_corpus",
        f"{citation} is not in this corpus: the publisher prints {before.label} and {after.label}"
        f" of {statute.abbreviation}, and does not say what stood or stands between.",
        f"Consult the publisher: {statute.source_url or statute.publisher_id}",
        evidence,
        tuple(
            Suggestion(norm.citation, norm.norm_id, f"neighbour: {norm.title or norm.label}")
            for norm in around
        ),
        NextCall(Means.CONTENTS, statute.statute_id),
    )
