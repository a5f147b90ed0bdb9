"""Completion of what a user types into a prompt or a resource address."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from fundstelle.law.identifiers import fold
from fundstelle.law.lands import JURISDICTIONS
from fundstelle.lookup.holdings import count_holdings
from fundstelle.lookup.library import Library
from fundstelle.tools import prompts
from fundstelle.tools.inputs import parameters as filters
from fundstelle.tools.inputs.eu_acts import list_eu_acts

MOST = 101  # one more than the protocol shows, by which it is known that there are more
_FILTERS: dict[str, tuple[str, ...]] = {
    "jurisdiction": JURISDICTIONS,
    "document_kind": filters.DOCUMENT_KINDS,
    "decision_type": filters.DECISION_TYPES,
    "language": filters.LANGUAGES,
}


class Completions:
    """Completes argument values of the known prompts and resource templates."""

    def __init__(self, library: Library, references: Iterable[str]) -> None:
        self._library = library
        self._references = frozenset(references)
        statutes = library.store.statutes.values()
        ids = (statute.statute_id for statute in statutes)
        self._ids = sorted((one.lower(), one) for one in ids)  # those of EU acts hold capitals
        self._abbreviations = sorted(
            {(fold(statute.abbreviation), statute.abbreviation) for statute in statutes}
        )
        self._celex = sorted(act["celex"] for act in list_eu_acts())
        self._holdings = count_holdings(library)

    def complete(
        self, reference: str, argument: str, value: str, settled: Mapping[str, str]
    ) -> Sequence[str] | None:
        """The first values that begin with ``value``; ``None`` for an unknown reference."""
        del settled  # no argument here depends on another
        if reference not in self._references:
            return None
        typed = value[:200]
        values = self._find_values(argument, typed)
        if values is not None:
            return list(islice(values, MOST))
        if argument == "depth":
            return _begin(typed, prompts.DEPTHS)
        if argument == "jurisdiction" and "://" not in reference:
            return _begin(typed, prompts.JURISDICTIONS)  # DE, EU, DE+EU; filters say de, eu, de_by
        return _begin(typed, self._list_held(argument))

    def _list_held(self, name: str) -> Iterable[str]:
        """The values of a filter that something is held under."""
        values = _FILTERS.get(name, ())
        if name == "source_type":
            values = self._library.source_types
        elif name == "court":
            values = filters.list_courts(self._library)
        return (value for value in values if self._holdings[name][value])

    def _find_values(self, argument: str, typed: str) -> Iterable[str] | None:
        # no table of methods: an instance that held its own would outlive its build
        match argument:
            case "abbreviation" | "law_abbreviation":
                return self._complete_abbreviation(typed)
            case "norm_id":
                return self._complete_norm_id(typed)
            case "citation":
                return self._complete_citation(typed)
            case "celex":
                return self._complete_celex(typed)
        return None

    def _complete_abbreviation(self, typed: str) -> Iterable[str]:
        folded = fold(typed)
        start = bisect_left(self._abbreviations, (folded, ""))
        for name, abbreviation in islice(self._abbreviations, start, None):
            if not name.startswith(folded):
                return
            yield abbreviation

    def _complete_celex(self, typed: str) -> Iterable[str]:
        return _begin(typed, self._celex)

    def _complete_norm_id(self, typed: str) -> Iterable[str]:
        """Ids of laws; behind a law's id and a slash, the ids of its provisions."""
        wanted = typed.lower()
        kind, _, rest = wanted.partition("/")
        short, slash, part = rest.partition("/")
        law = f"{kind}/{short}"
        start = bisect_left(self._ids, (law, ""))
        if slash and start < len(self._ids) and self._ids[start][0] == law:
            statute_id = self._ids[start][1]
            yield from self._library.store.list_ids(statute_id, f"{statute_id}/{part}", MOST)
            return
        for folded, statute_id in islice(self._ids, bisect_left(self._ids, (wanted, "")), None):
            if not folded.startswith(wanted):
                return
            yield statute_id

    def _complete_citation(self, typed: str) -> Iterable[str]:
        """``§ 823 B`` -> ``§ 823 BGB``: the last word as an abbreviation."""
        head, blank, last = typed.rpartition(" ")
        return (head + blank + name for name in self._complete_abbreviation(last))


def _begin(typed: str, values: Iterable[str]) -> list[str]:
    wanted = typed.casefold()
    return [value for value in values if value.casefold().startswith(wanted)][:MOST]
