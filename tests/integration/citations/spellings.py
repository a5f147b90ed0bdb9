"""The ways in which people write one and the same section."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fundstelle.citations.text.folding import fold_abbreviation, fold_long
from fundstelle.law.norms import Norm, Statute
from fundstelle.lookup.reading.years import Meaning, read_meaning

_NEUTER = re.compile(r"(?:gesetz|gesetzbuch|buch|abkommen|übereinkommen|vertrag|statut)$")
_FEMININE = re.compile(r"(?:ordnung|satzung|bekanntmachung|verfügung|richtlinie)$")
_ADJECTIVE = re.compile(r"[A-ZÄÖÜ0-9][\w-]*(?:es|e|er|\.)")
_FEMININE_SHORT = re.compile(r"[VO]O?$")


@dataclass(frozen=True, slots=True)
class Spelling:
    """A citation as written, by its form and the name of the law in it."""

    form: str
    written: str
    law: str


def list_spellings(norm: Norm, statute: Statute) -> Iterator[Spelling]:
    """Every form that the section has; titles only where their genitive is regular."""
    law = statute.abbreviation
    citation = norm.citation
    yield Spelling("canonical", citation, law)
    yield Spelling("no-break blank", citation.replace(" ", "\u00a0"), law)
    yield Spelling("closed", f"({citation}),", law)
    yield Spelling("id", norm.norm_id, law)
    if "/" in norm.number:
        return  # Art. 229 § 5: the signs nest
    sign, number = citation.split()[:2]
    word, english, entity = _SIGNS[sign]
    yield Spelling("law first", f"{law} {sign} {number}", law)
    yield Spelling("no blank", f"{sign}{number} {law}", law)
    yield Spelling("word", f"{word} {number} {law}", law)
    article = "der" if _FEMININE_SHORT.search(law) else "des"
    yield Spelling("article of speech", f"{sign} {number} {article} {law}", law)
    yield Spelling("entity", f"{entity}{number} {law}", law)
    yield Spelling("full stop", f"{citation}.", law)
    yield Spelling("English", f"{english} {number} {law}", law)
    yield from _list_names(f"{sign} {number}", statute)


_SIGNS = {"§": ("Paragraph", "Section", "&sect; "), "Art.": ("Artikel", "Article", "Art.&nbsp;")}


def _list_names(section: str, statute: Statute) -> Iterator[Spelling]:
    law = statute.abbreviation
    if law.lower() != law:
        yield Spelling("small letters", f"{section} {law.lower()}", law)
    for form, title in (("title", statute.title), ("short title", statute.short_title)):
        genitive = decline(title or "")
        if genitive:
            yield Spelling(form, f"{section} {genitive}", title or "")
    for juris in statute.abbreviations_juris:
        if juris != law and not _is_former(juris, statute):
            yield Spelling("juris", f"{section} {juris}", juris)


def _is_former(name: str, statute: Statute) -> bool:
    """Whether a law of another year bore that name: "EEG 2014" of what is the EEG 2023 today."""
    year = re.search(r" (\d{4})$", name)
    return year is not None and read_meaning(statute, int(year[1])) is not Meaning.NAME


def decline(title: str) -> str | None:
    """``Bürgerliches Gesetzbuch`` -> ``des Bürgerlichen Gesetzbuchs``; ``None`` if not regular."""
    words = title.split()
    for place, word in enumerate(words[:5]):
        before, after = words[:place], words[place + 1 :]
        if not all(_ADJECTIVE.fullmatch(adjective) for adjective in before):
            return None
        weak = [re.sub(r"(?<=\w)(?:es|er|e)$", "en", adjective) for adjective in before]
        noun = word.lower()
        if _NEUTER.search(noun):
            ending = "es" if noun.endswith("gesetz") else "s"
            return " ".join(["des", *weak, word + ending, *after])
        if _FEMININE.search(noun):
            return " ".join(["der", *weak, word, *after])
    return None


class Bearers:
    """Which laws of a build go by a name."""

    def __init__(self, statutes: Iterable[Statute]) -> None:
        self._short: dict[str, set[str]] = {}
        self._long: dict[str, set[str]] = {}
        for statute in statutes:
            juris = (*statute.abbreviations_juris, statute.abbreviation_official or "")
            for name in filter(None, (statute.abbreviation, *juris)):
                self._short.setdefault(fold_abbreviation(name), set()).add(statute.statute_id)
            for title in filter(None, (statute.title, statute.short_title)):
                self._long.setdefault(fold_long(title), set()).add(statute.statute_id)

    def is_shared(self, spelling: Spelling) -> bool:
        """Whether another law goes by the name in this spelling, too."""
        if spelling.form in {"title", "short title"}:
            return len(self._long[fold_long(spelling.law)]) > 1
        return len(self._short[fold_abbreviation(spelling.law)]) > 1
