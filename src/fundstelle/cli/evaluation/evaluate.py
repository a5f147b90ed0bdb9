"""``fundstelle eval``: how well the live build's search answers questions with known answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.evaluation.questions import Gold, LabelledQuestion, read_questions, read_trec
from fundstelle.law.norms import Norm
from fundstelle.lookup.library import Library
from fundstelle.search.index import LEARNED, SEMANTIC, SearchRequest
from fundstelle.search.ranking.measures import average, bootstrap, measure
from fundstelle.settings import Settings
from fundstelle.tools.inputs.references import find_cited_norms

_DEPTH = 100
_WITHOUT = tuple(map(frozenset, ((SEMANTIC, LEARNED), (SEMANTIC,), (LEARNED,), ())))
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("eval")
@click.argument("queries", type=_FILE)
@click.option("--qrels", type=_FILE, help="QUERIES are TREC topics, and this file judges them.")
@click.option(
    "--run",
    "out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write what was found here: one JSON object with qid and ranked ids a line.",
)
@click.pass_obj
def evaluate(settings: Settings, queries: Path, qrels: Path | None, out: Path | None) -> None:
    """Measure the search on QUERIES with known answers: JSON lines, also gzipped, or TREC topics.

    A line needs qid, query and relevant, a list of objects with id: bgb:573c,
    celex:32016R0679#art15, or the id of a decision. Prints each measure with its 95 % interval,
    for the first stage, for those that may be added to it, and for all that run.
    """
    questions = read_trec(queries, qrels) if qrels else read_questions(queries)
    library = open_library(settings)
    gold = Gold(library, questions)
    rows: list[list[Mapping[str, float]]] = [[] for _ in _WITHOUT]
    stages: list[tuple[str, ...]] = [()] * len(_WITHOUT)
    lines, missing = [], 0
    for question in questions:
        relevant = gold.find(question)
        missing += sum(not answer for answer in relevant)
        for at, (ran, ranked) in enumerate(_rank(library, question)):
            rows[at].append(measure(ranked, relevant))
            stages[at] = max(stages[at], ran, key=len)  # none run for a question without a word
        if out is not None:
            named = list(dict.fromkeys(gold.name(ranked)))
            lines.append(json.dumps({"qid": question.qid, "ranked": named}) + "\n")
    if out is not None:
        out.write_text("".join(lines), encoding="utf-8")
    click.echo(f"{len(questions)} questions; {missing} of their answers are not in this build")
    for at, ran in enumerate(stages):
        if ran not in stages[:at]:
            click.echo(", ".join(ran))
            _print_measures(rows[at])


def _print_measures(rows: Sequence[Mapping[str, float]]) -> None:
    for name, mean in average(rows).items():
        low, high = bootstrap([row[name] for row in rows])
        click.echo(f"{name:10} {mean:.4f}  [{low:.3f}, {high:.3f}]")


def _rank(
    library: Library, question: LabelledQuestion
) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """The stages that ran and what the search tool finds by them, all of them last.

    Norms that a question cites come first in each, then by rank.
    """
    today = date.today()  # noqa: DTZ011 the reader's day, as the tools take it
    cited = find_cited_norms(library, question.query, today, None)
    norms = [held for held in cited.held if isinstance(held, Norm)]
    found = [library.store.find_ordinal(norm.norm_id) for norm in norms]
    first = [ordinal for ordinal in found if ordinal is not None]
    request = SearchRequest(question.query, limit=_DEPTH, prefer=cited.laws)
    for without in _WITHOUT:
        result = library.index.search(replace(request, without=without))
        ranked = [*first, *(hit.ordinal for hit in result.hits)]
        yield result.stages, list(dict.fromkeys(ranked))[:_DEPTH]
