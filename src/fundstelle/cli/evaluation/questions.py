"""Questions with known answers: read from files, answers found in a build, documents named.

Ids are those of the evaluation sets: ``bgb:573c`` (slug and number of a German norm),
``celex:32016R0679#art15`` (article of an EU act), or the id or ECLI of a decision.
"""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fundstelle.errors import InvalidInput
from fundstelle.law.identifiers import build_norm_id
from fundstelle.lookup.library import Library

_ARTICLE = re.compile(r"celex:(?P<celex>\w+)#art(?P<number>\d+[a-z]?)")
_TREATY = re.compile(r"(1\d{4}[A-Z])\d{3}")  # its CELEX number repeats that of the article
_TOPIC = re.compile(r"<num>(?:\s*Number:)?\s*(?P<qid>\S+?)\s*(?:</num>)?\s*<title>(?P<query>[^<]+)")


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and the ids of its answers."""

    qid: str
    query: str
    relevant: tuple[str, ...]
    language: str = "de"
    laws: Mapping[str, str] = field(default_factory=dict)
    """By slug the abbreviation of its law, where the file says it: slugs change."""


def read_questions(file: Path) -> list[LabelledQuestion]:
    """Questions of our own format, one JSON object a line.

    Raises:
        InvalidInput: the file is not of that form.
    """
    questions = []
    for line in filter(str.strip, _read_text(file).splitlines()):
        try:
            row: dict[str, Any] = json.loads(line)
            answers = tuple(answer["id"] for answer in row["relevant"])
            laws = {
                answer["id"].partition(":")[0]: answer["law"]
                for answer in row["relevant"]
                if answer.get("law")
            }
            language = row.get("language", "de")
            questions.append(LabelledQuestion(row["qid"], row["query"], answers, language, laws))
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidInput(f"{file} needs qid, query and relevant on each line") from error
    return _check(questions, file)


def read_trec(topics: Path, qrels: Path) -> list[LabelledQuestion]:
    """Topics (TREC's tags, or number and text divided by a tab) with judgements of 1 or more.

    Documents are named ``<number>_<slug>``, as GerLeRB does.

    Raises:
        InvalidInput: a file is not of that form.
    """
    relevant: dict[str, list[str]] = defaultdict(list)
    for line in filter(str.strip, _read_text(qrels).splitlines()):
        fields = line.split()
        if len(fields) != 4 or not fields[3].lstrip("-").isdigit():
            raise InvalidInput(f"{qrels} needs topic, 0, document and grade on each line")
        if int(fields[3]) > 0:
            number, _, slug = fields[2].partition("_")
            relevant[fields[0]].append(f"{slug}:{number}")
    text = _read_text(topics)
    pairs = [(match["qid"], match["query"]) for match in _TOPIC.finditer(text)]
    if not pairs:
        rows = (line.partition("\t") for line in text.splitlines() if "\t" in line)
        pairs = [(qid, query) for qid, _, query in rows]
    questions = [
        LabelledQuestion(qid.strip(), query.strip(), tuple(relevant[qid.strip()]))
        for qid, query in pairs
        if qid.strip() in relevant
    ]
    return _check(questions, topics)


class Gold:
    """From ids to the ordinals of one build, and back.

    A law whose slug the build does not know is found by the abbreviation that the questions give,
    and then named by that slug.
    """

    def __init__(self, library: Library, questions: Iterable[LabelledQuestion] = ()) -> None:
        self._library = library
        self._statutes = {law.slug: key for key, law in library.store.statutes.items()}
        self._slugs = {key: slug for slug, key in self._statutes.items()}
        for question in questions:
            for slug, abbreviation in question.laws.items():
                self._learn(slug, abbreviation)

    def _learn(self, slug: str, abbreviation: str) -> None:
        if slug in self._statutes:
            return
        known = {law.statute_id for law in self._library.names.find(abbreviation)} - {None}
        if len(known) == 1 and (statute_id := known.pop()) in self._slugs:
            self._statutes[slug] = statute_id
            self._slugs[statute_id] = slug

    def find(self, question: LabelledQuestion) -> list[frozenset[int]]:
        """For each answer the documents that are it; none if the build does not hold it."""
        return [frozenset(self._find(one)) for one in question.relevant]

    def name(self, ordinals: Sequence[int]) -> list[str]:
        """The ids of documents."""
        base, decisions = self._library.decisions.base, self._library.decisions
        return [
            self._name_norm(ordinal)
            if ordinal < base
            else decisions.get_by_ordinal([ordinal - base])[0].decision_id
            for ordinal in ordinals
        ]

    def _find(self, written: str) -> list[int]:
        article = _ARTICLE.fullmatch(written)
        store = self._library.store
        if article is not None:
            act = _TREATY.sub(r"\1", article["celex"])
            ids = [f"eu/{act}{language}/art_{article['number']}" for language in ("", ":en")]
        else:
            slug, _, number = written.partition(":")
            statute_id = self._statutes.get(slug)
            if statute_id is None:
                return self._find_decision(written)
            ids = [build_norm_id(statute_id, one) for one in (number, f"art-{number}")]
        found = [store.find_ordinal(one) for one in ids]
        return [ordinal for ordinal in found if ordinal is not None]

    def _find_decision(self, written: str) -> list[int]:
        decisions = self._library.decisions
        decision = decisions.find(written)
        number = decisions.find_ordinal(decision.decision_id) if decision else None
        return [] if number is None else [decisions.base + number]

    def _name_norm(self, ordinal: int) -> str:
        (norm,) = self._library.store.get_norms_by_ordinal([ordinal])
        number = norm.norm_id.removeprefix(norm.statute_id + "/")
        if norm.statute_id.startswith("eu/"):
            act = norm.statute_id.removeprefix("eu/").removesuffix(":en")
            number = number.removeprefix("art_")
            if re.fullmatch(r"1\d{4}[A-Z]", act):
                act += number.zfill(3)
            return f"celex:{act}#art{number}"
        slug = self._slugs[norm.statute_id]
        if "/" not in number:  # "art-1/2" is a section inside an article
            number = number.removeprefix("art-")
        return f"{slug}:{number}"


def _read_text(file: Path) -> str:
    try:
        with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as opened:
            text: str = opened.read()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read ({error})") from error
    return text


def _check(questions: list[LabelledQuestion], file: Path) -> list[LabelledQuestion]:
    if not questions or not all(question.relevant for question in questions):
        raise InvalidInput(f"{file} holds no questions with answers")
    return questions
