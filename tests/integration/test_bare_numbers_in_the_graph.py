"""Bare numbers behind an Absatz: the citation graph reads them as lookups do."""

import pytest

from fundstelle.citations.parse import parse
from fundstelle.corpus.sqlite import SqliteBuild
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.integration.test_relations_on_corpus import TODAY

pytestmark = pytest.mark.corpus


def test_the_graph_and_a_lookup_mean_the_same_article(library: Library) -> None:
    store = library.store
    assert isinstance(store, SqliteBuild)
    resolver = Resolver(store)
    wrong, others = [], 0
    for article in range(1, 147):
        for number in (article + 1, article + 3, article + 12, 86):
            written = f"Art. {article} Abs. 1, {number} GG"
            target = parse(written, library.names).targets[-1]
            outcome = resolve(library, written, TODAY).outcomes[-1]
            if not isinstance(outcome, ProvisionHit):
                continue
            assert isinstance(target, NormCitation | EuCitation)
            (unit,) = resolver.resolve_units(target)
            others += outcome.norm.number == str(number) != str(article)
            if unit.ordinal != store.find_ordinal(outcome.norm.norm_id):
                wrong.append(written)
    assert wrong == []
    assert others > 250
