"""Misses where a law has what is cited in several places, texts or editions."""

from collections.abc import Sequence
from datetime import date

from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import Norm, NormStatus, Statute
from fundstelle.lookup.answers import Means, Miss, NextCall, ProvisionHit, Suggestion
from fundstelle.lookup.misses.reasons import SUGGESTIONS

_GAZETTES = {"de": "the Bundesgesetzblatt", "eu": "EUR-Lex"}


_SHOWN_DAYS = 12


def edition_not_held(written: str, statute: Statute, name: str, norm: Norm | None) -> Miss:
    """``VVG 1908``, where the VVG of 2007 is held, which has ``norm`` under that number."""
    publisher = _GAZETTES.get(statute.jurisdiction, "the publisher")
    held = f"{statute.abbreviation} of {statute.issued_on:%Y}" if statute.issued_on else ""
    citation, norm_id = (
        (norm.citation, norm.norm_id) if norm else (statute.abbreviation, statute.statute_id)
    )
    return Miss(
        written,
        "not_in_corpus",
        f"{name} is an older edition, which this corpus does not hold; it holds the {held}, whose"
        " numbers may be others.",
        f"Consult {publisher} for the text of that edition.",
        suggestions=(Suggestion(citation, norm_id, f"in the edition held, the {held}"),),
    )


def consolidated_not_held(written: str, statute: Statute, said: str, held: Sequence[date]) -> Miss:
    """``02006L0112-20991231``: a consolidated text of a day of which none is held."""
    days = ", ".join(day.isoformat() for day in held[-_SHOWN_DAYS:])
    more = "… " if len(held) > _SHOWN_DAYS else ""
    others = f"the consolidated texts held of it are of {more}{days}" if held else "none is held"
    return Miss(
        written,
        "not_in_corpus",
        f"This corpus does not hold {statute.abbreviation} as consolidated on {said}; {others}."
        " That says nothing about whether there is such a text.",
        (
            "Cite the act itself, with ",
            Means.DAY,
            " for the day that is meant, or consult EUR-Lex.",
        ),
        suggestions=(Suggestion(statute.abbreviation, statute.statute_id, "the act itself"),),
    )


def corrigendum_not_held(written: str, statute: Statute, number: str) -> Miss:
    """``32016R0679R(02)``: what corrects an act is held only as far as it was applied to it."""
    return Miss(
        written,
        "not_in_corpus",
        f"Corrigendum {number} of {statute.abbreviation} is no document of this corpus, which holds"
        " corrigenda only as far as they are applied to the act; that says nothing about whether"
        " there is one.",
        f"Consult EUR-Lex: https://eur-lex.europa.eu/legal-content/DE/ALL/?uri=CELEX:{statute.slug}",
        suggestions=(Suggestion(statute.abbreviation, statute.statute_id, "the act itself"),),
    )


def older_law(written: str, statute: Statute) -> Miss:
    """``BDSG a. F.``: an earlier law of that name, or an earlier text of this one."""
    return Miss(
        written,
        "repealed",
        f"{written} is no law that applies; which earlier text is meant is not said, and only the"
        f" {statute.abbreviation} as it is now is held.",
        ("Cite a provision, and ask with ", Means.DAY, " for the day that is meant."),
        suggestions=(Suggestion(statute.abbreviation, statute.statute_id, "the law as it is now"),),
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def part_or_provision(written: str, part: Miss, provision: ProvisionHit) -> Miss:
    """``§ 91 Abs. 1, 92 ZPO``: no Abs. 92, but perhaps § 92, which a single "§" does not say."""
    norm, named = provision.norm, provision.citation
    number = Suggestion(named, norm.norm_id, "the provision of that number")
    return Miss(
        written,
        "ambiguous",
        f"Whether {named} is meant, or a part of the provision before, which does not exist, is"
        " not guessed.",
        "Write before each number what it counts: '§§' before several sections.",
        suggestions=(number, *part.suggestions)[:SUGGESTIONS],
        hint=NextCall(Means.READ, norm.norm_id),
    )


def below_or_beside(written: str, part: Miss, beside: ProvisionHit) -> Miss:
    """``lit. f, Satz 2``: no sentence of f, but perhaps one of its Absatz, which is not said."""
    norm = beside.norm
    named = Suggestion(beside.citation, norm.norm_id, "the part beside it")
    return Miss(
        written,
        "ambiguous",
        f"{part.reason} Whether {beside.citation} is meant is not guessed.",
        "Write it without the comma, or with all that it stands in.",
        suggestions=(named, *part.suggestions)[:SUGGESTIONS],
        hint=NextCall(Means.READ, norm.norm_id),
    )


def several_sections(written: str, statute: Statute, norms: Sequence[Norm]) -> Miss:
    """``§ 2`` of a law that has it below several of its Artikel, or an Artikel of that number."""
    named = ", ".join(norm.citation for norm in norms[:SUGGESTIONS])
    more = ", …" if len(norms) > SUGGESTIONS else ""
    return Miss(
        written,
        "ambiguous",
        f"{statute.abbreviation} has §§ below its Artikel; it can be {named}{more}.",
        "Ask again with the Artikel.",
        suggestions=tuple(
            Suggestion(norm.citation, norm.norm_id, norm.title or norm.label)
            for norm in norms[:SUGGESTIONS]
        ),
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def several_annexes(written: str, statute: Statute, called: str, norms: Sequence[Norm]) -> Miss:
    """``Anlage 2`` of a law that has it as ``Anlage 2 Teil 1`` and ``Anlage 2 Teil 2``."""
    named = ", ".join(norm.citation for norm in norms[:SUGGESTIONS])
    more = ", …" if len(norms) > SUGGESTIONS else ""
    return Miss(
        written,
        "ambiguous",
        f"No annex is called just {called}; it can be {named}{more}.",
        "Ask again with the whole designation.",
        suggestions=tuple(
            Suggestion(norm.citation, norm.norm_id, norm.title or norm.label)
            for norm in norms[:SUGGESTIONS]
        ),
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def letter_or_word(written: str, statute: Statute, norms: Sequence[Norm]) -> Miss:
    """``§ 651 d. BGB`` of a law that has a § 651d: "des", or its letter."""
    named = " or ".join(norm.citation for norm in norms)
    return Miss(
        written,
        "ambiguous",
        f'The letter before {statute.abbreviation} can stand for "des" or belong to the number:'
        f" {named}.",
        "Ask again for the one that is meant.",
        suggestions=tuple(
            Suggestion(norm.citation, norm.norm_id, norm.title or norm.label) for norm in norms
        ),
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def several_texts(
    written: str, norm: Norm, year: int, heads: Sequence[FassungHead], on: date
) -> Miss:
    """A year in which the provision read differently from one day to the next."""
    days = [max(head.in_force_from or head.stand, date(year, 1, 1)) for head in heads]
    said = ", ".join(day.isoformat() for day in days)
    has = f"{norm.citation} has {len(heads)} texts for {year}; they are first known for {said}."
    return _ask_which(written, norm, has, days, on)


def changed_since(
    written: str, norm: Norm, year: int, heads: Sequence[FassungHead], on: date
) -> Miss:
    """``§ 434 BGB 2002``: the edition of a year, and texts that are not all of that year."""
    held = [head for head in heads if head.status is NormStatus.IN_FORCE]
    days = [head.stand if head.in_force_until else min(head.stand, on) for head in held]
    said = ", ".join(day.isoformat() for day in days)
    has = (
        f"Which text of {norm.citation} the year {year} means is not known here: it was changed"
        f" since; held are those of {said}."
    )
    return _ask_which(written, norm, has, days, on)


def _ask_which(written: str, norm: Norm, has: str, days: Sequence[date], on: date) -> Miss:
    return Miss(
        written,
        "ambiguous",
        has,
        ("Ask again without the year and with ", Means.DAY, " for the day that is meant."),
        suggestions=tuple(
            Suggestion(norm.citation, norm.norm_id, f"as of {day.isoformat()}")
            for day in days[:SUGGESTIONS]
        ),
        hint=NextCall(Means.READ, norm.norm_id, min((*days[-1:], on))),
    )
