"""Misses with their evidence: what is not there, what is, and what to do next."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.citations.text.clean import clean
from fundstelle.law.citations import DecisionCitation, EuCitation, GazetteCitation
from fundstelle.law.decisions import Decision, docket_key
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall, Outcome, Place, Suggestion
from fundstelle.lookup.dating.lacking import Lack
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import say_when_seen

SUGGESTIONS = 5
DENIED = frozenset({"norm_does_not_exist", "subunit_does_not_exist"})
_ENGLISH = {"anhang": "annex", "anlage": "annex", "protokoll": "protocol"}
_NAMES_WRITTEN_OUT = 12


def not_parseable(written: str) -> Miss:
    """It does not read as a citation or id."""
    return Miss(
        written if len(written) <= 500 else written[:80] + "…",
        "not_parseable",
        f"{shorten(written)} cannot be read as a citation or an id.",
        (
            "Write it as in '§ 823 Abs. 1 BGB', 'Art. 1 GG' or 'de/bgb/823'; to find a provision",
            *(" by its subject use ", Means.SEARCH, "."),
        ),
        hint=NextCall(Means.SEARCH, written) if 2 <= len(written) <= 1000 else None,
    )


def too_many_passages(written: str, decision: Decision, most: int) -> Miss:
    """More Randnummern than one answer cuts out."""
    return Miss(
        written,
        "not_parseable",
        f"Of the Randnummern of {decision.citation} that are named the first {most} were read.",
        "Ask for the others in another call.",
        suggestions=(
            Suggestion(decision.citation, decision.decision_id, "the decision as a whole"),
        ),
    )


def eu_not_held(written: str, target: EuCitation, library: Library) -> Miss:
    """An EU act that is not here."""
    name = target.law or f"CELEX {target.celex}"
    if library.list_states("eu"):
        return Miss(
            written,
            "not_in_corpus",
            f"{name} (CELEX {target.celex}) is not among the EU acts of this corpus.",
            f"Consult EUR-Lex: {_eurlex_url(target.celex)}",
        )
    return Miss(
        written,
        "outside_coverage",
        f"{name} is EU law (CELEX {target.celex}), and this corpus holds no EU law; that says"
        " nothing about whether the provision exists.",
        f"Consult EUR-Lex: {_eurlex_url(target.celex)}",
    )


def part_not_held(written: str, statute: Statute, citation: str, lack: Lack = Lack.EXCERPT) -> Miss:
    """Only parts of the act are held, or were read, so what is not among them is not denied."""
    law = statute.abbreviation
    why = (
        f"parts of {law} could not be read"
        if lack is Lack.GAPS
        else f"only parts of {law} are held"
    )
    return Miss(
        written,
        "not_in_corpus",
        f"{citation} is not in this corpus: {why}.",
        f"Consult the publisher: {statute.source_url or statute.publisher_id}",
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def number_alone(written: str, norm: Norm, above: str) -> Miss:
    """Of a part the publisher prints nothing but its number: what is in it nobody denies."""
    return Miss(
        written,
        "not_in_corpus",
        f"The publisher shows the number of {above} alone; what stood in it is not held here.",
        "Consult the gazette in which the law was promulgated.",
        suggestions=(Suggestion(norm.citation, norm.norm_id, "the section as a whole"),),
        about=Place(norm.citation, norm.norm_id),
    )


def land_law_not_held(written: str, statute: Statute, citation: str) -> Miss:
    """A number that the law of the Bund lacks, of an abbreviation that laws of Länder bear, too."""
    law = statute.abbreviation
    return Miss(
        written,
        "not_in_corpus",
        f"{citation} is not in this corpus: the {law} of the Bund has no such provision, and laws"
        f" of Länder, which are called {law} too, are not held.",
        ("Consult the collection of the Land; ", Means.CONTENTS, f" shows what the {law} has."),
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def decision_not_held(
    written: str, target: DecisionCitation, near: Sequence[Decision] = ()
) -> Miss:
    """A decision that is not here; decisions never "do not exist".

    ``near`` are decisions whose Aktenzeichen goes on behind the one written, as in "8 AZR 209/21
    (B)": often the order that came before the judgment, so that neither is taken for the other;
    or those of that Aktenzeichen and of another day: a docket may stand for several decisions.
    """
    name = " ".join(filter(None, (target.court, target.docket))) or target.ecli or written
    reason = f"The decision {name} is not in this corpus"
    same = [one for one in near if _is_same_docket(target, one) and one.issued_on]
    if same and target.issued_on:
        days = ", ".join(one.issued_on.isoformat() for one in same if one.issued_on)
        reason = f"Under {name} decisions of {days} are held, none of {target.issued_on}"
    return Miss(
        written,
        "not_in_corpus",
        f"{reason}; that says nothing about whether it exists.",
        (
            "Consult the court's own collection; ",
            Means.HOLDINGS,
            " shows which decisions are held.",
        ),
        suggestions=tuple(
            Suggestion(one.citation, one.decision_id, _say_near(target, one)) for one in near
        ),
    )


def _say_near(target: DecisionCitation, decision: Decision) -> str:
    """Why a decision is suggested that is not the one cited."""
    told = "held under that Aktenzeichen, of another day"
    return told if _is_same_docket(target, decision) else "held under a longer Aktenzeichen"


def _is_same_docket(target: DecisionCitation, decision: Decision) -> bool:
    return docket_key(target.docket or "") in map(docket_key, decision.dockets)


def add_doubts(miss: Miss, notes: Sequence[str]) -> Miss:
    """A miss that also says what in the citation is impossible: a day, a senate."""
    doubts = [note for note in notes if note not in clean(miss.citation).notes]
    if not doubts:
        return miss
    return replace(miss, reason=f"{miss.reason} To check in what is written: {'; '.join(doubts)}.")


def add_age(outcome: Outcome, library: Library, statute: Statute) -> Outcome:
    """A miss that also says so if the newest look at the publisher did not bring its law."""
    seen = say_when_seen(library.store.manifest, statute) if isinstance(outcome, Miss) else None
    if seen is None or not isinstance(outcome, Miss) or seen in outcome.reason:
        return outcome
    return replace(outcome, reason=f"{outcome.reason} {seen}", last_seen=statute.stand)


def gazette_not_held(written: str, target: GazetteCitation) -> Miss:
    """No law held was published there; of acts of the Union that is seldom known."""
    named = f"the Fundstelle {shorten(written)} ({target.gazette})"
    said = (
        f"No act of this corpus is recorded with {named}; of most acts that are held it is not"
        " recorded."
        if target.gazette == "ABl."
        else f"No law of this corpus has {named}; only the first promulgation or republication of a"
        " law is recorded."
    )
    return Miss(
        written,
        "not_in_corpus",
        said,
        ("Cite the law by its abbreviation, or look it up with ", Means.FIND_LAW, "."),
    )


def _name(norm: Norm) -> str:
    """As printed, with its Artikel where the §§ start anew below each."""
    return norm.citation if "/" in norm.number else norm.label


def document_not_held(written: str) -> Miss:
    """A journal, a collection or a paper of parliament: recognised, but nothing to resolve to."""
    return Miss(
        written,
        "not_in_corpus",
        f"{shorten(written)} is recognised as a source, but its contents are not in this corpus.",
        "Cite the provision itself, or a decision by court and Aktenzeichen.",
    )


def norm_missing(
    written: str,
    statute: Statute,
    place: tuple[str, NormKind | None],
    citation: str,
    library: Library,
) -> Miss:
    """The law, whose contents are held completely, has nothing at ``place``: a number and kind."""
    store = library.store
    number, kind = place
    first, last = store.find_ends(statute.statute_id, kind)
    before, after = store.find_neighbours(statute.statute_id, number, kind)
    near = [norm for norm in (before, after) if norm is not None]
    span = f"; its sections run from {_name(first)} to {_name(last)}" if first and last else ""
    floor = library.store.manifest.archive_floor
    return Miss(
        written,
        "norm_does_not_exist",
        f"{citation} does not exist: {statute.abbreviation} has no such provision{span}.",
        "Check the number; the suggestions stand where it would be, they are not what was asked."
        f" Older sources may cite a text of before {floor.isoformat()}, not held.",
        Evidence(_place(first), _place(last), _place(before), _place(after)),
        tuple(
            Suggestion(norm.citation, norm.norm_id, f"neighbour: {norm.title or norm.label}")
            for norm in near
        ),
        NextCall(Means.CONTENTS, statute.statute_id),
    )


def annex_missing(written: str, statute: Statute, citation: str, library: Library) -> Miss:
    """The law has no such annex; those it has are named."""
    annexes = library.store.list_norms(statute.statute_id, NormKind.ANNEX)
    word = citation.partition(" ")[0].casefold()
    word = _ENGLISH.get(word, word) if statute.language == "en" else word
    annexes = [n for n in annexes if n.label.casefold().startswith(word)] or annexes
    held = f"{statute.abbreviation} has {_name_all(annexes)}"
    ends = (_place(annexes[0]), _place(annexes[-1])) if annexes else (None, None)
    return Miss(
        written,
        "norm_does_not_exist",
        f"{citation} does not exist: {held}.",
        ("Check the number; ", Means.CONTENTS, " lists what the law consists of."),
        Evidence(*ends),
        tuple(
            Suggestion(norm.citation, norm.norm_id, norm.title or norm.label)
            for norm in annexes[:SUGGESTIONS]
        ),
        NextCall(Means.CONTENTS, statute.statute_id),
    )


def recital_missing(written: str, statute: Statute, citation: str, library: Library) -> Miss:
    """The act, whose preamble is held, has no such recital."""
    recitals = library.store.list_norms(statute.statute_id, NormKind.RECITAL)
    asked = number_key(citation.split()[1])
    place = bisect_left(recitals, asked, key=lambda one: number_key(one.number.partition("_")[2]))
    before = recitals[place - 1] if place else None
    after = recitals[place] if place < len(recitals) else None
    first, last = (one.label.strip("()") for one in (recitals[0], recitals[-1]))
    return Miss(
        written,
        "norm_does_not_exist",
        f"{citation} does not exist: the recitals of {statute.abbreviation} run from {first} to"
        f" {last}.",
        "Check the number; the suggestions stand where it would be, they are not what was asked.",
        Evidence(_place(recitals[0]), _place(recitals[-1]), _place(before), _place(after)),
        tuple(
            Suggestion(one.citation, one.norm_id, f"neighbour: {one.label}")
            for one in (before, after)
            if one is not None
        ),
        NextCall(Means.CONTENTS, statute.statute_id),
    )


def _name_all(annexes: Sequence[Norm]) -> str:
    if len(annexes) <= _NAMES_WRITTEN_OUT:
        return ", ".join(norm.label for norm in annexes) or "none"
    return f"{len(annexes)}, from {annexes[0].label} to {annexes[-1].label}"


def _place(norm: Norm | None) -> Place | None:
    return Place(norm.citation, norm.norm_id) if norm is not None else None


def _eurlex_url(celex: str) -> str:
    return f"https://eur-lex.europa.eu/legal-content/DE/TXT/?uri=CELEX:{celex}"


def shorten(text: str) -> str:
    """What was written, quoted; long texts are cut."""
    return repr(text if len(text) <= 80 else text[:77] + "...")
