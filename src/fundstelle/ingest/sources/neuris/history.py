"""The expressions of one law, put together: which norm read how, from when to when.

```text
expression    2020 ........ 2022 ........ (next)
§ 1           one text for both           one fassung
§ 2           a text       | another      two fassungen, the second in force from 2022
§ 3           a text       |              repealed with 2022
```

A day of coming into force is said where the publisher says it: with an expression whose text
differs from the one before it, with the act's own first text, or with the period of the provision.
Of what the oldest text that is held only went on with, no beginning is known.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from fundstelle.citations.laws.names import choose_abbreviation
from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile
from fundstelle.ingest.history.identity import rename
from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.gii.header import read_kind
from fundstelle.ingest.sources.gii.outline import FRONT
from fundstelle.ingest.sources.neuris.expression import Expression, Period
from fundstelle.ingest.sources.neuris.outline import Provisions, read_provisions
from fundstelle.ingest.sources.registry import NEURIS
from fundstelle.law.identifiers import build_statute_id
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Headings,
    Norm,
    NormKind,
    NormStatus,
    StandNote,
    Statute,
)

History = tuple[Norm, tuple[Fassung, ...]]
_KINDS = {"gesetz": "statute", "verordnung": "regulation"}


@dataclass(frozen=True, slots=True)
class Text:
    """One expression with the separate annexes of it."""

    expression: Expression
    annexes: tuple[Expression, ...] = ()

    @property
    def begins(self) -> date:
        """Its first day; where the publisher names none, the day of the act that made it."""
        return self.expression.period.begins or self.expression.point


@dataclass(frozen=True, slots=True)
class _Step:
    """One text among the others."""

    text: Text
    begins: date
    ends: date | None  # first day on which it no longer applies
    is_said: bool  # the publisher names the day on which it begins
    provisions: Provisions
    stand: date


def build_act(texts: Sequence[Text], today: date) -> tuple[ParsedAct | None, list[Rejected]]:
    """The law with the history of its norms; texts that cannot be used, and why.

    Of several texts that begin on one day the one of the latest act, version and file counts. What
    begins after ``today`` is left out: by it, what is in force would be the past. ``None`` where
    no text is left.
    """
    chosen, rejected = _choose(texts, today)
    if not chosen:
        return None, rejected
    newest = chosen[-1].expression
    abbreviation = choose_abbreviation(
        newest.abbreviation_juris,
        newest.abbreviation_official,
        newest.title or newest.work,
    )
    statute_id = _build_id(newest, abbreviation)
    steps: list[_Step] = []
    for place, text in enumerate(chosen):
        following = chosen[place + 1].begins if place + 1 < len(chosen) else None
        try:
            steps.append(_read_step(text, following, (statute_id, abbreviation), today))
        except RejectedFile as error:
            rejected.append(Rejected(error.name, error.reason))
    if not steps:
        return None, rejected
    histories: list[History] = []
    for place, step in enumerate(steps):
        histories = _go_on(histories, steps[place - 1] if place else None, step)
    norms = tuple(_settle(histories, today))
    statute = _build_statute(steps, statute_id, abbreviation, norms)
    coming = sorted({text.begins for text in texts if text.begins > today})
    notes = (*statute.stand_notes, *(_announce(day) for day in coming))
    made_on = max(text.expression.made_on or text.expression.point for text in texts)
    act = ParsedAct(
        replace(statute, stand_notes=notes), norms, len(steps), made_on=min(made_on, today)
    )
    return act, rejected


def _announce(day: date) -> StandNote:
    """A note in the publisher's own way of saying that a change is not in the text."""
    return StandNote("Hinweis", f"Fassung ab {day.isoformat()}: hier noch nicht berücksichtigt")


def _choose(texts: Iterable[Text], today: date) -> tuple[list[Text], list[Rejected]]:
    """One text for each day on which one begins, oldest first."""
    by_day: dict[date, Text] = {}
    rejected: list[Rejected] = []
    for text in sorted(texts, key=_get_age):
        if text.begins > today:
            reason = f"it is the text of {text.begins.isoformat()}, a day still to come"
            rejected.append(Rejected(text.expression.name, reason))
            continue
        ends = text.expression.period.ends
        if ends is not None and ends <= text.begins:
            reason = f"it ends with {text.begins.isoformat()} or before, the day it begins on"
            rejected.append(Rejected(text.expression.name, reason))
            continue
        before = by_day.get(text.begins)
        if before is not None and before.expression.eli != text.expression.eli:
            reason = f"{text.expression.eli} begins on the same day and is the later text"
            rejected.append(Rejected(before.expression.name, reason))
        by_day[text.begins] = text
    return [by_day[day] for day in sorted(by_day)], rejected


def _get_age(text: Text) -> tuple[date, int, date, str]:
    one = text.expression
    return one.point, one.version, one.made_on or date.min, one.name


def _build_id(expression: Expression, abbreviation: str) -> str:
    """``de/busg-2020-s1126``: also where several have that abbreviation."""
    *_, year, place = expression.work.split("/")
    return f"{build_statute_id(abbreviation, NEURIS.jurisdiction)}-{year}-{place}"


def _read_step(text: Text, following: date | None, statute: tuple[str, str], today: date) -> _Step:
    one = text.expression
    ends = one.period.ends
    if following is not None and (ends is None or ends > following):
        ends = following
    stand = min(max(one.made_on or one.point, text.begins), today)
    provisions = read_provisions(one, text.annexes, statute, stand)
    return _Step(text, text.begins, ends, one.period.begins is not None, provisions, stand)


def _go_on(before: list[History], last: _Step | None, step: _Step) -> list[History]:
    """The histories with one more text."""
    known = {norm.norm_id: (norm, f) for norm, f in rename(before, step.provisions.norms)}
    follows = last is not None and last.ends == step.begins
    histories: list[History] = []
    fresh = {norm.norm_id for norm, _ in step.provisions.norms}
    gone = _place_gone(list(known), fresh)
    histories += (known[norm_id] for norm_id in gone.get(None, ()))
    for (norm, fassung), period in zip(step.provisions.norms, step.provisions.periods, strict=True):
        old = known.get(norm.norm_id)
        histories.append((norm, _extend(old, norm, _date(fassung, step, period, last), follows)))
        histories += (known[norm_id] for norm_id in gone.get(norm.norm_id, ()))
    return histories


def _place_gone(known: Sequence[str], fresh: set[str]) -> dict[str | None, list[str]]:
    """What the later text lacks, behind the norm that it stood behind."""
    places: dict[str | None, list[str]] = {}
    anchor: str | None = None
    for norm_id in known:
        if norm_id in fresh:
            anchor = norm_id
        else:
            places.setdefault(anchor, []).append(norm_id)
    return places


def _date(fassung: Fassung, step: _Step, period: Period | None, last: _Step | None) -> Fassung:
    """The fassung with its days, as far as the publisher says them."""
    named = period.begins if period is not None else None
    stand = step.stand if step.ends is None else min(step.stand, _day_before(step.ends))
    dated = replace(fassung, in_force_until=step.ends, stand=stand)
    if last is None and not step.text.expression.is_first:
        # an earlier day may be that of the provision and not of these words
        if named is not None and named == step.begins:
            return _begin(dated, named, DatePrecision.EXACT)
        return _begin(dated, None, DatePrecision.UNKNOWN)
    # a provision that says another day than its law contradicts it: neither is then said
    agrees = named is None or named == step.begins
    return _begin(dated, step.begins, _EXACTNESS[step.is_said and agrees])


_EXACTNESS = {True: DatePrecision.EXACT, False: DatePrecision.FIRST_SEEN}


def _begin(fassung: Fassung, day: date | None, precision: DatePrecision) -> Fassung:
    return replace(fassung, in_force_from=day, date_precision=precision)


def _extend(
    old: History | None, norm: Norm, fassung: Fassung, follows: bool
) -> tuple[Fassung, ...]:
    if old is None:
        return (fassung,)
    was, (*earlier, last) = old
    same = (last.text_sha256, was.title) == (fassung.text_sha256, norm.title)
    if same and follows and last.in_force_until == fassung.in_force_from:
        begun = replace(
            fassung, in_force_from=last.in_force_from, date_precision=last.date_precision
        )
        return (*earlier, begun)  # its notes may be newer
    return (*earlier, replace(last, headings=Headings(was.title, was.hierarchy)), fassung)


def _settle(histories: Iterable[History], today: date) -> Iterable[History]:
    """Each norm at its place, in force or no longer."""
    ids = {norm.norm_id for norm, _ in histories}
    for position, (norm, fassungen) in enumerate(histories):
        ends = fassungen[-1].in_force_until
        is_over = ends is not None and ends <= today
        status = NormStatus.REPEALED if is_over else fassungen[-1].status
        parent = norm.parent_id if norm.parent_id in ids else None
        placed = replace(norm, position=position, status=status, parent_id=parent)
        yield placed, fassungen


def _build_statute(
    steps: Sequence[_Step], statute_id: str, abbreviation: str, norms: Sequence[History]
) -> Statute:
    oldest, newest = steps[0], steps[-1]
    one = newest.text.expression
    formula = next((f[-1].text for n, f in norms if n.number == "eingangsformel"), "")
    written = one.form
    return Statute(
        statute_id=statute_id,
        slug=one.work,
        publisher_id=one.work,
        abbreviation=abbreviation,
        abbreviations_juris=(one.abbreviation_juris,) if one.abbreviation_juris else (),
        abbreviation_official=one.abbreviation_official,
        title=one.title or abbreviation,
        short_title=one.short_title,
        issued_on=one.issued_on,
        publication=one.publication,
        stand_notes=one.stand_notes,
        document_kind=_KINDS.get(written) or read_kind(one.title, abbreviation, formula),
        listed=True,
        source_url=f"{NEURIS.url}v1/legislation/{one.address.removesuffix('.xml')}.html",
        stand=max(step.stand for step in steps),
        norm_count=sum(n.kind is not NormKind.HEADING and n.number != FRONT for n, _ in norms),
        source_type=NEURIS.source_type,
        jurisdiction=NEURIS.jurisdiction,
        first_look=oldest.begins,
    )


def _day_before(day: date) -> date:
    return date.fromordinal(day.toordinal() - 1)
