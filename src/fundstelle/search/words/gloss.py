"""An English text of the Union's law in German words, term by term, for the search alone.

``data/eu_terms.tsv`` holds English terms of EU acts with the German ones for them, those of the
acts and those of people. What has no row is left out: a gloss is no translation, and is shown to
nobody.
"""

from collections.abc import Iterator
from functools import cache
from importlib import resources

from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.search.words.phrases import Phrases, split

_FILE = "eu_terms.tsv"


def has_gloss(norm: Norm, statute: Statute) -> bool:
    """Whether it is an article of an EU act that is held in English only."""
    is_only = statute.language == "en" and ":" not in statute.statute_id
    return is_only and statute.statute_id.startswith("eu/") and norm.kind is NormKind.ARTICLE


def gloss(text: str) -> str:
    """The German terms for the English ones in a text, in its order, as often as they stand there.

    Empty if it holds none.
    """
    found = _read_table().find_all(split(text))
    return " ".join(term for match in found for term in match.german)


def read_pairs() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The rows of the table: an English term, the German ones for it, that of the acts first."""
    text = (resources.files("fundstelle.search") / "data" / _FILE).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            english, german = line.split("\t")
            yield english, tuple(german.split(" | "))


@cache
def _read_table() -> Phrases:
    return Phrases.build(read_pairs())
