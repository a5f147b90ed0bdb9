"""Written references as the discovery tools need them: a law, a norm, or the miss."""

from dataclasses import dataclass, replace
from datetime import date

from fundstelle.citations.find import find as find_citations
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Norm, Statute
from fundstelle.lookup import misses
from fundstelle.lookup.answers import Hit, LawHit, Miss, NextCall, Outcome
from fundstelle.lookup.laws import find_statute, list_books
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.written import read
from fundstelle.tools._norms import build_miss
from fundstelle.tools._render import norm_link, result
from fundstelle.tools._spec import ToolResult

_MOST_CITED = 20  # citations of a query that are put first
_LONGEST_CITATION = 200
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Missing:
    """A reference that leads to nothing, and the day it was read for."""

    miss: Miss
    on: date

    @property
    def names(self) -> list[str]:
        """What may have been meant."""
        return [suggestion.citation for suggestion in self.miss.suggestions]

    def render(self, library: Library) -> ToolResult:
        """The miss as an ordinary answer."""
        miss = self.miss
        links = [
            norm_link(suggestion.norm_id, suggestion.citation)
            for suggestion in miss.suggestions
            if suggestion.norm_id
        ]
        return result(
            False,
            0,
            0,
            0,
            library.store.manifest.release,
            hint={"tool": miss.hint.tool, "arguments": miss.hint.arguments} if miss.hint else None,
            blocks=links,
            as_of=self.on,
            **build_miss(miss),
        )


def find_law(
    library: Library, written: str, source_type: str | None, on: date
) -> Statute | Missing:
    """The law that a reference names or lies in."""
    found = _find_law(library, written, on)
    if isinstance(found, Miss):
        return Missing(found, on)
    if source_type not in {None, found.source_type}:
        reason = f"{found.abbreviation} is held under source_type {found.source_type}"
        step = f"Ask again without source_type or with {found.source_type}."
        return Missing(Miss(written, "not_in_corpus", f"{reason}, not {source_type}.", step), on)
    floor = library.store.manifest.archive_floor
    if on < floor:
        name, statute_id = found.abbreviation, found.statute_id
        miss = misses.before_archive(written, name, statute_id, on, library)
        arguments = {"law_abbreviation": name, "as_of": floor.isoformat()}
        return Missing(replace(miss, hint=NextCall("legal_get_toc", arguments)), on)
    return found


def _find_law(library: Library, written: str, on: date) -> Statute | Miss:
    reading = read(written, library)
    if isinstance(reading, Miss):
        return reading
    target = reading.targets[0]
    if isinstance(target, NormCitation):
        return find_statute(library, written, target)
    if isinstance(target, EuCitation):
        statute = library.store.statutes.get(f"eu/{target.celex}")
        return statute or misses.eu_not_held(written, target, library)
    outcome = resolve(library, written, on).outcomes[0]
    return outcome if isinstance(outcome, Miss) else outcome.statute


def find_laws(library: Library, written: str, on: date) -> list[Statute] | Missing:
    """The laws that a filter means; ``SGB`` means all its books."""
    if fold(written) == "sgb":
        return list_books(library)
    found = _find_law(library, written, on)
    return Missing(found, on) if isinstance(found, Miss) else [found]


def find_norm(library: Library, written: str, on: date) -> Norm | Statute | Missing:
    """The first norm, or the law, that a reference means."""
    outcomes = resolve(library, written, on).outcomes
    for outcome in outcomes:
        if isinstance(outcome, Hit):
            return outcome.norm
        if isinstance(outcome, LawHit):
            return outcome.statute
    first = outcomes[0]
    assert isinstance(first, Miss)
    return Missing(first, on)


@dataclass(frozen=True, slots=True)
class Cited:
    """What a query cites: norms held, and a sentence for each that is not there."""

    norms: tuple[Norm, ...] = ()
    warnings: tuple[str, ...] = ()


_NOTHING = Cited()


def find_cited_norms(library: Library, query: str, on: date, law: str | None = None) -> Cited:
    """The norms that a query cites, in its order; a bare section is one of ``law``.

    A query without a digit cites none.
    """
    if not any(map(str.isdigit, query)):
        return _NOTHING
    written = [_write_out(found) for found in find_citations(query, library.names, law)]
    outcomes: list[Outcome] = []
    for text in written[:_MOST_CITED]:
        outcomes += resolve(library, text, on).outcomes
    if not written and len(query) <= _LONGEST_CITATION:
        outcomes += [each for each in resolve(library, query, on).outcomes if isinstance(each, Hit)]
    norms = [outcome.norm for outcome in outcomes if isinstance(outcome, Hit)]
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, Miss)]
    return Cited(tuple(norms), tuple(dict.fromkeys(reasons)))


def _write_out(found: FoundCitation) -> str:
    """The citation as written, with its law where that came from the context."""
    law = getattr(found.targets[0], "law", None) if found.inferred else None
    return f"{found.text} {law}" if law else found.text


def find_named_law(library: Library, query: str) -> str | None:
    """The law that a query names and nothing else."""
    if len(query) > _LONGEST_NAME:
        return None
    held = (library.store.statutes.get(law.statute_id or "") for law in library.names.find(query))
    return next((statute.abbreviation for statute in held if statute is not None), None)
