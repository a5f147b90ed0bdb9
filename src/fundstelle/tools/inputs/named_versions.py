"""A law named with a version: "EEG 2021", "BDSG a. F.", "BGB in der am … geltenden Fassung"."""

from datetime import date

from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.lookup.answers import LawHit, Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.written import read
from fundstelle.lookup.resolve import resolve_target


def ask_version(library: Library, written: str, on: date) -> LawHit | Miss | None:
    """The law as a whole in the version that is behind its name; ``None`` without one.

    As a lookup has it: with the day that is named, and what is not sure of it.
    """
    reading = read(written, library)
    target = None if isinstance(reading, Miss) else reading.targets[0]
    if not isinstance(target, NormCitation | EuCitation) or target.version is None:
        return None
    law = (
        NormCitation(target.law, version=target.version)
        if isinstance(target, NormCitation)
        else EuCitation(target.celex, target.law, version=target.version)
    )
    outcome = resolve_target(library, law, written, on)[0]
    return outcome if isinstance(outcome, LawHit | Miss) else None
