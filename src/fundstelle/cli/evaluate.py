"""``fundstelle eval``: how well the live build's search answers questions with known answers."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click

from fundstelle.bootstrap import open_library
from fundstelle.lookup.library import Library
from fundstelle.lookup.questions import Gold, Question, read_questions, read_trec
from fundstelle.search.index import SearchRequest
from fundstelle.search.measures import average, bootstrap, measure
from fundstelle.settings import Settings
from fundstelle.tools._references import find_cited_norms

_DEPTH = 100
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
    celex:32016R0679#art15, or the id of a decision. Prints each measure with its 95 % interval.
    """
    questions = read_trec(queries, qrels) if qrels else read_questions(queries)
    library = open_library(settings)
    gold = Gold(library, questions)
    rows, lines, missing = [], [], 0
    for question, ranked in _rank(library, questions):
        relevant = gold.find(question)
        missing += sum(not answer for answer in relevant)
        rows.append(measure(ranked, relevant))
        if out is not None:
            named = list(dict.fromkeys(gold.name(ranked)))
            lines.append(json.dumps({"qid": question.qid, "ranked": named}) + "\n")
    if out is not None:
        out.write_text("".join(lines), encoding="utf-8")
    click.echo(f"{len(rows)} questions; {missing} of their answers are not in this build")
    for name, mean in average(rows).items():
        low, high = bootstrap([row[name] for row in rows])
        click.echo(f"{name:10} {mean:.4f}  [{low:.3f}, {high:.3f}]")


def _rank(library: Library, questions: list[Question]) -> Iterator[tuple[Question, list[int]]]:
    """What the search tool finds: norms that a question cites first, then by rank."""
    today = date.today()  # noqa: DTZ011 the reader's day, as the tools take it
    for question in questions:
        cited = find_cited_norms(library, question.query, today, None)
        first = [library.store.find_ordinal(norm.norm_id) for norm in cited.norms]
        request = SearchRequest(question.query, limit=_DEPTH, prefer=cited.laws)
        hits = library.index.search(request).hits
        ranked = [*(one for one in first if one is not None), *(hit.ordinal for hit in hits)]
        yield question, list(dict.fromkeys(ranked))[:_DEPTH]
