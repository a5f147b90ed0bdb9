"""Sentences of decisions as labelled tokens (CoNLL): one token and its label a line.

A blank line ends a sentence. The labels are passed over: citations are found as in any other text.
Such files name no decision, so that they are no decisions to look up; what a sentence cites, and
with which words, they tell all the same.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.decision_text.pdf_text import decode_text

SUFFIX = ".conll"
_KNOWN = {  # by folder: what the licence asks to name
    "gold-citations-ler": (
        "Legal Entity Recognition dataset (Leitner, Rehm, Moreno-Schneider), CC BY 4.0"
    )
}
_BLANKS = re.compile(r"[ \t]+")
_LABEL = re.compile(r"O|[BIES]-\S+")
_AFTER_NOTHING = re.compile(r"(?!\.\.)[,.;:)\]!?“»>/]+")  # stands behind a word without a blank
_BEFORE_NOTHING = frozenset("([„«</")  # stands before one without
_TORN = re.compile(  # numbers torn apart: "SozR 3 - 1500", "C - 283/81", "EU : C : 2018 : 35"
    r"SozR \d(?:\|-|-\|\d+)$|(?<!\w)[CT](?:\|-|-\|\d+/\d+)$|(?:ECLI|EU|DE|:C|:\d{4}|:BVerwG):\|\w+$"
)
_LONGEST_TORN = 12  # characters


def name_collection(name: str) -> str:
    """What to call the collection that a file belongs to, with its authors and licence if known."""
    folders = PurePosixPath(name).parent.parts
    known = next((_KNOWN[folder] for folder in folders if folder in _KNOWN), None)
    return known or (folders[-1] if folders else PurePosixPath(name).stem)


def parse(file: SourceFile) -> list[str]:
    """The sentences of a file in its order, spaced as print has them.

    Raises:
        RejectedFile: it is no text of labelled tokens.
    """
    sentences: list[str] = []
    for tokens in _iter_sentences(file):
        sentence = join_tokens(tokens)
        if sentence:
            sentences.append(sentence)
    if not sentences:
        raise RejectedFile(file.name, "it has no sentences")
    return sentences


def join_tokens(tokens: Sequence[str]) -> str:
    """A sentence from its tokens; ``i. V. m.`` keeps the blanks of the tokens."""
    text = ""
    glued = True
    for token in tokens:
        torn = _TORN.search(f"{text[-_LONGEST_TORN:]}|{token}")
        text += token if glued or torn or _AFTER_NOTHING.fullmatch(token) else f" {token}"
        glued = token in _BEFORE_NOTHING
    return text


def _iter_sentences(file: SourceFile) -> Iterator[list[str]]:
    tokens: list[str] = []
    for number, line in enumerate(decode_text(file).split("\n"), 1):
        columns = _BLANKS.split(line.strip(" \t"))
        if columns == [""]:
            yield tokens
            tokens = []
        elif len(columns) > 1 and _LABEL.fullmatch(columns[-1]):
            tokens.append(columns[0])
        else:
            raise RejectedFile(file.name, f"line {number} is no token with its label")
    yield tokens
