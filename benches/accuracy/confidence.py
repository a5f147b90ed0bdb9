"""How often the first hit of a search is right, by the confidence that the search gives it.

python -m benches.accuracy.confidence [--locked]

Asks the build in FUNDSTELLE_DATA the questions of ../shared/eval that norms answer. The bounds of
``tools.answers.confidence`` were chosen on two thirds of them; ``--locked`` asks the last third,
which is for trying a choice once. Beside them are questions that neither federal nor EU law
answers: no first hit of those is right.
"""

import argparse
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from benches.results import write_results
from fundstelle.bootstrap.library import open_library
from fundstelle.cli.evaluation.questions import Gold, LabelledQuestion, read_questions
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext

EVALUATION = Path(__file__).parents[2].parent / "shared" / "eval"
FILES = ("norm_questions.jsonl.gz", "lay_questions.dev.jsonl.gz")
LEVELS = ("high", "medium", "low")
ELSEWHERE = """
    Hundesteuer|Wie hoch ist die Hundesteuer?|VOB/B|Gewährleistungsfrist nach VOB/B
    Schulpflicht Grundschule|Höhe der Hecke an der Grenze zum Nachbarn|Grenzabstand für Bäume
    Abstandsflächen Garage|Leinenpflicht für Hunde|Maulkorb Kampfhund|Bürgerbegehren Quorum
    Wahl des Bürgermeisters|Straßenausbaubeitrag|Zweitwohnungsteuer|Kurtaxe
    Rundfunkbeitrag Befreiung|Ladenöffnungszeiten am Sonntag|Bestattungspflicht Urne
    Friedhofszwang|Denkmalschutz Genehmigung Fenster|Fischereischein|Kindergartengebühren
    Versetzung in die nächste Klasse|Düsseldorfer Tabelle|TVöD Eingruppierung|Incoterms FOB
    ADSp Haftung des Spediteurs|Hitzefrei|Baulast eintragen|Müllgebühren
    Straßenreinigung Winterdienst Anlieger Satzung|Karfreitag Tanzverbot|Osterfeuer Genehmigung
    Notensystem Abitur|Feuerwehr Kostenersatz|Spielhalle Mindestabstand
    Besoldung Landesbeamte|Wahlrecht Landtag Alter|Baumschutzsatzung Fällen|Mietspiegel der Stadt
"""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a search said of a question, and whether it was right."""

    query: str
    confidence: str
    is_first: bool
    in_three: bool
    has_hint: bool


def is_locked(question: str) -> bool:
    """Whether a question is of the third that is kept apart."""
    return zlib.crc32(question.encode()) % 3 == 0


def iter_judged(library: Library, questions: Iterable[LabelledQuestion]) -> Iterator[Judged]:
    """Ask the tool itself; questions without an answer in the build are left out."""
    asked = list(questions)
    gold = Gold(library, asked)
    registry = build_registry(library, today=lambda: library.store.manifest.stand, base_url="")
    search = next(tool for tool in registry.tools if tool.name == "legal_search")
    for question in asked:
        relevant = frozenset[int]().union(*gold.find(question))
        if question.relevant and not relevant:
            continue
        called = search.call({"query": question.query}, CallContext("bench", "bench"))
        answer = orjson.loads(called.structured or b"{}")
        ids = [hit["norm_id"] for hit in answer["hits"][:3]]
        right = [library.store.find_ordinal(norm_id) in relevant for norm_id in ids]
        yield Judged(
            question.query, answer["confidence"], any(right[:1]), any(right), "hint" in answer
        )


def describe(judged: Sequence[Judged]) -> dict[str, Any]:
    """By confidence: how many, how often the first hit is right, and one of the first three."""
    table: dict[str, Any] = {}
    for level in LEVELS:
        rows = [one for one in judged if one.confidence == level]
        table[level] = {
            "n": len(rows),
            "share": round(len(rows) / max(len(judged), 1), 3),
            "first": round(sum(one.is_first for one in rows) / max(len(rows), 1), 3),
            "in_three": round(sum(one.in_three for one in rows) / max(len(rows), 1), 3),
        }
    return table


def list_elsewhere() -> list[LabelledQuestion]:
    """The questions that no norm held answers."""
    queries = [part.strip() for line in ELSEWHERE.splitlines() for part in line.split("|")]
    return [LabelledQuestion(query, query, ()) for query in queries if query]


def run(*, locked: bool) -> dict[str, Any]:
    library = open_library(Settings.from_env(os.environ))
    sets = {name.partition(".")[0]: read_questions(EVALUATION / name) for name in FILES}
    sets["elsewhere"] = list_elsewhere()
    result: dict[str, Any] = {"release": library.store.manifest.release, "locked": locked}
    known: list[Judged] = []
    for name, questions in sets.items():
        part = [one for one in questions if is_locked(one.qid) == locked]
        judged = list(iter_judged(library, part))
        result[name] = describe(judged)
        if name != "elsewhere":
            known += judged
    result["all with an answer"] = describe(known)
    for name, table in result.items():
        if isinstance(table, dict):
            print(f"{name:22}", {level: tuple(row.values()) for level, row in table.items()})
    for one in known:
        if one.confidence == "high" and not one.is_first:
            print("  high and wrong:", one.query)
    name = "confidence_locked" if locked else "confidence"
    print("kept in", write_results(name, result))
    return result


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--locked", action="store_true")
    run(locked=arguments.parse_args().locked)
