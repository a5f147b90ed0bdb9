"""Misses of provisions that are there on other days: gone, not yet, not seen, not recorded."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.corpus.decisions import CitingRequest
from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import Norm, NormKind, NormStatus, Statute, choose_read_day
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall, Place, Suggestion
from fundstelle.lookup.dating.between_looks import Gap
from fundstelle.lookup.dating.days import Days
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.gone import find_word, say_printed
from fundstelle.lookup.misses.reasons import SUGGESTIONS

_COUNTED = frozenset({NormKind.SECTION, NormKind.ARTICLE, NormKind.RECITAL})  # one follows another
_MOST_GONE = 200  # provisions in a row of which none is left


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
    ended = [head for head, _ in texts if head.in_force_until and head.in_force_until <= on]
    older = [head for head in ended if head.status is NormStatus.IN_FORCE]
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
    after = _find_next(library, norm, on) if norm.kind in _COUNTED else None
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
            archive_floor=library.store.manifest.archive_floor,
        ),
        tuple(suggestions),
        _find_next_call(norm, older, decisions),
        about=Place(norm.citation, norm.norm_id),
    )


def _find_next_call(norm: Norm, older: Sequence[FassungHead], decisions: int) -> NextCall | None:
    """The last text that is held, on its day; else the decisions on what was there."""
    if older:
        day = choose_read_day(older[-1].stand, older[-1].in_force_from)
        return NextCall(Means.READ, norm.norm_id, day)
    return NextCall(Means.CITING, norm.norm_id) if decisions else None


def _find_next(library: Library, norm: Norm, on: date) -> Norm | None:
    """The next provision of the law that has a text on that day, and is no number of this one."""
    number = _find_last_number(norm)
    for _ in range(_MOST_GONE):
        _, after = library.store.find_neighbours(norm.statute_id, number, norm.kind)
        if after is None:
            return None
        fassung = library.store.find_fassung(after.norm_id, on)
        if fassung is not None and fassung.status is not NormStatus.REPEALED:
            return after
        number = _find_last_number(after)
    return None


def _find_last_number(norm: Norm) -> str:
    """Of a range its end: ``234/8-9`` ends with ``234/9``."""
    above, slash, _ = norm.number.rpartition("/")
    return f"{above}{slash}{norm.number_end}" if norm.number_end else norm.number


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
    floor = library.store.manifest.archive_floor
    reason = (
        "the earlier texts held are among the suggestions"
        if older
        else f"no earlier text is held (the corpus begins on {floor.isoformat()})"
    )
    suggestions = [_suggest_older(norm, head) for head in reversed(older[-4:])]
    suggestions.append(Suggestion(norm.citation, norm.norm_id, "the provision as it is now"))
    return Miss(
        written,
        "repealed",
        f"{norm.citation} a.F. is a text that no longer applies; {reason}.",
        ("Ask with ", Means.DAY, " for the day that is meant."),
        Evidence(
            last_seen=older[-1].stand if older else None,
            archive_floor=library.store.manifest.archive_floor,
        ),
        tuple(suggestions),
    )


def not_yet_in_force(
    written: str, norm: Norm, begins: date | None, on: date, why: str = ""
) -> Miss:
    """The provision is there, but later; ``why`` is what that rests on."""
    when = f" on {begins.isoformat()}" if begins else ""
    return Miss(
        written,
        "not_yet_in_force",
        f"{norm.citation} is not yet in force on {on.isoformat()}; it begins{when or ' later'}."
        f"{why and f' {why}'}",
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
    if days.bounds is not None and days.basis == "text":
        known = (
            f"On which day {norm.citation} came into force is not known here; by the words of its"
            f" act it was on {first.isoformat()} at the latest"
        )
    what = "first seen on" if days.first_seen else "the text of"
    return Miss(
        written,
        "not_seen_yet",
        f"{known}; whether it was in force on {on.isoformat()} is not known here.",
        _say_ask_later(norm, first),
        suggestions=(Suggestion(norm.citation, norm.norm_id, f"{what} {first.isoformat()}"),),
        hint=NextCall(Means.READ, norm.norm_id, first),
    )


def in_newer_text(written: str, norm: Norm, citation: str, gap: Gap, *, is_marked: bool) -> Miss:
    """The text before the day lacks what is cited; that behind it has it, or does not mark it."""
    day = gap.gone_on.isoformat()
    lacks = f"The text of {gap.stand.isoformat()} has no words at {citation}"
    what = "first seen on" if gap.was_seen else "the text of"
    if is_marked:
        then = f"one that has {gap.known}, and on which day between it changed is not known here."
    else:
        what = f"as far as the parts are marked, {what}"
        then = f"the next text, which {gap.known}, does not mark it, and may have it."
    return Miss(
        written,
        "not_seen_yet",
        f"{lacks}; {then}",
        _say_ask_later(norm, gap.gone_on),
        suggestions=(Suggestion(citation, norm.norm_id, f"{what} {day}"),),
        hint=NextCall(Means.READ, norm.norm_id, gap.gone_on),
    )


def nor_in_newer_text(miss: Miss, gap: Gap) -> Miss:
    """A miss of what the text before the day lacks, as the one behind it does."""
    neither = f"The next text, which {gap.known}, does not have it, either."
    return replace(miss, reason=f"{miss.reason} {neither}")


def in_older_text(
    miss: Miss, norm: Norm, citation: str, printed: str, held: tuple[date, Days]
) -> Miss:
    """A part that the text behind lacks, and the older one had that is ``held`` for a day."""
    day, days = held
    how = f"{citation} is repealed{find_word(printed)}"
    if days.valid_to is not None:
        reason = f"{how} since {days.valid_to.isoformat()}."
    else:
        gone = days.gone_on.isoformat() if days.gone_on else "later"
        last = (
            f"its text was last seen at the publisher on {days.stand.isoformat()} and was gone on"
            if days.last_seen
            else f"the text of {days.stand.isoformat()} has it and it is gone in that of"
        )
        reason = f"{how}: {last} {gone}; since which day it is repealed is not known here."
    older = Suggestion(citation, norm.norm_id, f"older text, last seen on {day.isoformat()}")
    return replace(
        miss,
        status="repealed",
        reason=reason,
        next_step=("Ask again with ", Means.DAY, f" {day.isoformat()} for the text that has it."),
        evidence=replace(
            miss.evidence,
            repealed_on=days.valid_to,
            last_seen=days.stand if days.valid_to is None else None,
        ),
        suggestions=(older, *miss.suggestions)[:SUGGESTIONS],
        hint=NextCall(Means.READ, norm.norm_id, day),
        about=Place(citation, norm.norm_id),
    )


def _say_ask_later(norm: Norm, first: date) -> tuple[str, ...]:
    gazette = "Official Journal" if norm.norm_id.startswith("eu/") else "Bundesgesetzblatt"
    return (
        *("Ask with ", Means.DAY, f" {first.isoformat()} or later, and see what the text"),
        f" itself, or the {gazette}, says of its commencement.",
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


def law_before_archive(written: str, statute: Statute, on: date, floor: date) -> Miss:
    """As ``before_archive``, of a law as a whole."""
    miss = before_archive(written, statute.abbreviation, statute.statute_id, on, floor)
    return replace(miss, hint=NextCall(Means.CONTENTS, statute.abbreviation, floor))


def law_not_yet_in_force(
    written: str, statute: Statute, begins: date, on: date, why: str = ""
) -> Miss:
    """A law as a whole that is not in force before the day ``begins``."""
    name = statute.abbreviation
    return Miss(
        written,
        "not_yet_in_force",
        f"{name} is not yet in force on {on.isoformat()}; it begins on {begins.isoformat()}."
        f"{why and f' {why}'}",
        ("Ask again with ", Means.DAY, " on or after its first day."),
        suggestions=(Suggestion(name, statute.statute_id, f"as of {begins.isoformat()}"),),
        hint=NextCall(Means.CONTENTS, name, begins),
    )


def _suggest_older(norm: Norm, head: FassungHead) -> Suggestion:
    day = head.stand.isoformat()
    return Suggestion(norm.citation, norm.norm_id, f"older text, last seen on {day}")
