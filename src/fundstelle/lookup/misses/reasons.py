"""Misses with their evidence: what is not there, what is, and what to do next."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.citations.text.clean import clean
from fundstelle.corpus.decisions import CitingRequest
from fundstelle.corpus.store import FassungHead
from fundstelle.law.citations import DecisionCitation, EuCitation, GazetteCitation
from fundstelle.law.decisions import Decision, docket_key
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall, Outcome, Place, Suggestion
from fundstelle.lookup.days import Days
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.gone import say_printed
from fundstelle.lookup.sources import say_when_seen

SUGGESTIONS = 5
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


def part_not_held(written: str, statute: Statute, citation: str) -> Miss:
    """Only parts of the act are held, so what is not among them is not denied."""
    return Miss(
        written,
        "not_in_corpus",
        f"{citation} is not in this corpus: only parts of {statute.abbreviation} are held.",
        f"Consult the publisher: {statute.source_url or statute.publisher_id}",
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def decision_not_held(
    written: str, target: DecisionCitation, near: Sequence[Decision] = ()
) -> Miss:
    """A decision that is not here; decisions never "do not exist".

    ``near`` are decisions whose Aktenzeichen goes on behind the one written, as in "8 AZR 209/21
    (B)": often the order that came before the judgment, so that neither is taken for the other;
    or those of that Aktenzeichen and of another day.
    """
    name = " ".join(filter(None, (target.court, target.docket))) or target.ecli or written
    return Miss(
        written,
        "not_in_corpus",
        f"The decision {name} is not in this corpus; that says nothing about whether it exists.",
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
    is_same = docket_key(target.docket or "") in map(docket_key, decision.dockets)
    told = "held under that Aktenzeichen, of another day"
    return told if is_same else "held under a longer Aktenzeichen"


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
    """No law held was published there."""
    return Miss(
        written,
        "not_in_corpus",
        f"No law of this corpus has the Fundstelle {shorten(written)}"
        f" ({target.gazette}); only the first promulgation or republication of a law is recorded.",
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
    return Miss(
        written,
        "norm_does_not_exist",
        f"{citation} does not exist: {statute.abbreviation} has no such provision{span}.",
        "Check the number; the suggestions stand where it would be, they are not what was asked."
        f" Older sources may cite a text of before {_floor(library).isoformat()}, not held.",
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
    lower = [one for one in recitals if number_key(one.number.partition("_")[2]) < asked]
    higher = recitals[len(lower) :]
    before, after = (lower[-1] if lower else None), (higher[0] if higher else None)
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


def repealed(
    written: str,
    norm: Norm,
    held: tuple[Sequence[FassungHead], Sequence[Days]],
    library: Library,
    on: date,
) -> Miss:
    """The provision no longer applied on that day; ``held`` are its texts and their days."""
    # of a provision that came back later, what was before
    texts = [
        (head, days)
        for head, days in zip(*held, strict=True)
        if not head.in_force_from or head.in_force_from <= on
    ]
    older = [head for head, _ in texts if head.in_force_until and head.in_force_until <= on]
    word, printed = say_printed(norm, library.store.find_fassung(norm.norm_id, on))
    day, seen, looked = _find_end(texts, on)
    when = f" since {day.isoformat()}" if day else ""
    if looked is not None and seen is not None:
        when = (
            f": its text was last seen at the publisher on {seen.isoformat()} and was gone on"
            f" {looked.isoformat()}; since which day it is repealed is not known here"
        )
    how: tuple[str, ...] = ("no older text is held",)
    if older:
        how = "ask again with ", Means.DAY, " for an older text"
    _, after = library.store.find_neighbours(norm.statute_id, norm.number, norm.kind)
    suggestions = [_suggest_older(norm, head) for head in reversed(older[-3:])]
    if after is not None:
        suggestions.append(Suggestion(after.citation, after.norm_id, "next provision of the law"))
    cited = library.store.list_references_to(norm.norm_id, 0, 0)[1]
    decisions = library.decisions.list_citing(CitingRequest(norm.norm_id, limit=0))[1]
    return Miss(
        written,
        "repealed",
        f"{norm.citation} is repealed{word}{printed}{when}.",
        (f"It does not apply on {on.isoformat()}; ", *how, f".{_count_decisions(decisions)}"),
        Evidence(
            repealed_on=day,
            last_seen=seen if looked else None,
            cited_by_count=cited,
            archive_floor=_floor(library),
        ),
        tuple(suggestions),
        NextCall(Means.CITING, norm.norm_id) if decisions else None,
        about=Place(norm.citation, norm.norm_id),
    )


def _find_end(
    texts: Sequence[tuple[FassungHead, Days]], on: date
) -> tuple[date | None, date | None, date | None]:
    """Since when there is no text, where something says so; else the looks around its end."""
    if not texts:
        return None, None, None
    head, days = texts[-1]
    if days.valid_to is not None and days.valid_to <= on:
        return days.valid_to, None, None
    if head.in_force_until is not None and head.in_force_until <= on:  # then there was nothing
        return None, days.stand, days.gone_on
    # "(weggefallen)" stands there
    if days.valid_from is not None or len(texts) == 1:
        return days.valid_from, None, None
    return None, texts[-2][1].stand, days.first_seen


def _count_decisions(count: int) -> str:
    return f" Decisions held here that cite it in a text of their time: {count}." if count else ""


def older_version(written: str, norm: Norm, heads: Sequence[FassungHead], library: Library) -> Miss:
    """``a.F.``: an earlier text is meant, and which one is not said."""
    older = [head for head in heads if head.in_force_until is not None]
    floor = library.store.manifest.archive_floor.isoformat()
    reason = (
        "the earlier texts held are among the suggestions"
        if older
        else f"no earlier text is held (the corpus begins on {floor})"
    )
    suggestions = [_suggest_older(norm, head) for head in reversed(older[-4:])]
    suggestions.append(Suggestion(norm.citation, norm.norm_id, "the provision as it is now"))
    return Miss(
        written,
        "repealed",
        f"{norm.citation} a.F. is a text that no longer applies; {reason}.",
        ("Ask with ", Means.DAY, " for the day that is meant."),
        Evidence(last_seen=older[-1].stand if older else None, archive_floor=_floor(library)),
        tuple(suggestions),
    )


def not_yet_in_force(written: str, norm: Norm, begins: date | None, on: date) -> Miss:
    """The provision is there, but later."""
    when = f" on {begins.isoformat()}" if begins else ""
    return Miss(
        written,
        "not_yet_in_force",
        f"{norm.citation} is not yet in force on {on.isoformat()}; it begins{when or ' later'}.",
        ("Ask again with ", Means.DAY, " on or after its first day.")
        if begins
        else "The publisher gives no text before it is in force.",
        suggestions=(
            (Suggestion(norm.citation, norm.norm_id, f"as of {begins.isoformat()}"),)
            if begins
            else ()
        ),
        hint=NextCall(Means.READ, norm.norm_id, begins) if begins else None,
    )


def not_seen_yet(written: str, norm: Norm, days: Days, begins: date, on: date) -> Miss:
    """Nothing held shows the provision on that day; when it came into force is not known.

    ``begins`` is the day of the oldest text: of a look at a publisher, or, where there are editions
    (EU law), of the oldest of them.
    """
    first = days.first_seen or begins
    without = days.not_seen_before
    ago = f", and not yet on {without.isoformat()}" if without else ""
    known = (
        f"{norm.citation} was first seen at its publisher on {first.isoformat()}{ago}"
        if days.first_seen
        else f"The oldest text of {norm.citation} that is held is that of {first.isoformat()}"
    )
    what = "first seen on" if days.first_seen else "the text of"
    gazette = "Official Journal" if norm.norm_id.startswith("eu/") else "Bundesgesetzblatt"
    return Miss(
        written,
        "not_seen_yet",
        f"{known}; whether it was in force on {on.isoformat()} is not known here.",
        (
            *("Ask with ", Means.DAY, f" {first.isoformat()} or later, and see what the text"),
            f" itself, or the {gazette}, says of its commencement.",
        ),
        suggestions=(Suggestion(norm.citation, norm.norm_id, f"{what} {first.isoformat()}"),),
        hint=NextCall(Means.READ, norm.norm_id, first),
    )


def before_archive(written: str, citation: str, norm_id: str | None, on: date, floor: date) -> Miss:
    """A day before ``floor``, the oldest that anything is known of."""
    suggestion = Suggestion(citation, norm_id, f"the oldest text held, as of {floor.isoformat()}")
    held = norm_id is not None
    return Miss(
        written,
        "outside_coverage",
        f"The corpus cannot say what {citation} was on {on.isoformat()}: it knows no day of it"
        f" before {floor.isoformat()}.",
        (
            *("Ask with ", Means.DAY),
            f" {floor.isoformat()} or later, or consult the Bundesgesetzblatt.",
        ),
        Evidence(archive_floor=floor),
        (suggestion,) if held else (),
        NextCall(Means.READ, norm_id, floor) if norm_id is not None else None,
    )


def _suggest_older(norm: Norm, head: FassungHead) -> Suggestion:
    day = head.stand.isoformat()
    return Suggestion(norm.citation, norm.norm_id, f"older text, last seen on {day}")


def _place(norm: Norm | None) -> Place | None:
    return Place(norm.citation, norm.norm_id) if norm is not None else None


def _floor(library: Library) -> date:
    return library.store.manifest.archive_floor


def _eurlex_url(celex: str) -> str:
    return f"https://eur-lex.europa.eu/legal-content/DE/TXT/?uri=CELEX:{celex}"


def shorten(text: str) -> str:
    """What was written, quoted; long texts are cut."""
    return repr(text if len(text) <= 80 else text[:77] + "...")
