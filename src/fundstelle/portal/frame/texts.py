"""The words of the pages in German and English, from the tables in ``texts/``."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("de", "en")

_MOST_ACCEPTED = 500  # characters of a header that is read


@cache
def load_texts() -> Mapping[str, Mapping[str, str]]:
    """By language, then key. Lines of the tables are ``key<TAB>German<TAB>English``.

    Raises:
        ValueError: a line is not complete, or a key is there twice.
    """
    texts: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    for table in sorted(files("fundstelle.portal").joinpath("texts").iterdir(), key=str):
        if not table.name.endswith(".tsv"):
            continue
        for line in table.read_text("utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            key, *translations = line.split("\t")
            if len(translations) != len(LANGUAGES) or not all(translations):
                raise ValueError(f"{table.name}: {line!r}")
            for language, text in zip(LANGUAGES, translations, strict=True):
                if key in texts[language]:
                    raise ValueError(f"{table.name}: {key} is there twice")
                texts[language][key] = text
    return texts


def choose_language(accepted: str) -> str:
    """The language of a page from ``Accept-Language`` (RFC 9110 §12.5.4); English if unsure."""
    ranked = []
    for place, part in enumerate(accepted[:_MOST_ACCEPTED].split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            quality = float(weight or 1)
        except ValueError:
            continue
        ranked.append((-quality, place, name.lower()[:2]))
    return next(
        (name for quality, _, name in sorted(ranked) if name in LANGUAGES and quality), "en"
    )
