"""German words for the articles of EU acts that are held in English only.

A German question shares no word with an English article. So the search index takes, beside the
words of such an article, what it is about in German and how people ask for it, from
``data/eu_german.tsv`` (of acts that are held in German, the latter alone). Nothing of that is part
of a text or shown to anybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

_FILE = "eu_german.tsv"
_WHOLE = "-"  # in the place of an article: of the act


@dataclass(frozen=True, slots=True)
class InGerman:
    """What an article is about, and the words of people who ask for it; each may be empty."""

    matter: str = ""
    asked: str = ""


NOTHING = InGerman()


def find_in_german(norm_id: str) -> InGerman:
    """The words of a norm, or of an act as a whole, by its id; most have none."""
    return read_table().get(norm_id, NOTHING)


@cache
def read_table() -> Mapping[str, InGerman]:
    """The rows of the table by the ids of articles (``eu/32022R2065/art_25``) and acts."""
    text = (resources.files("fundstelle.search") / "data" / _FILE).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {_build_id(act, number): InGerman(*words) for act, number, *words in rows}


def _build_id(act: str, number: str) -> str:
    return f"eu/{act}" if number == _WHOLE else f"eu/{act}/art_{number}"
