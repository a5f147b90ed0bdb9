"""The answers of ``legal_lookup_batch`` without texts: a verdict on each citation."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import cast

from fundstelle.law.norms import Statute
from fundstelle.lookup.allowance import Allowance
from fundstelle.lookup.answers import LawHit
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.library import Library
from fundstelle.lookup.verdicts.behind import doubt_unread
from fundstelle.lookup.verdicts.check import DraftCheck, check_draft
from fundstelle.lookup.verdicts.judge import Verdict, judge
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.tools.answers.budgets import shorten
from fundstelle.tools.answers.envelope import LINKS, norm_link, result
from fundstelle.tools.answers.looks import warn_of_looks
from fundstelle.tools.answers.norms import describe_stand
from fundstelle.tools.answers.verdicts import (
    LONGEST_CITATION,
    ShownVerdict,
    build_verdict,
    count_verdicts,
)
from fundstelle.tools.inputs.items import resolve_item
from fundstelle.tools.spec import ToolResult

_NOT_CHECKED = "not checked: those before took what one call may cost."
_NOT_SOUGHT = "Some quotes were not looked for everywhere else: that is too much for one call."
_NAMED = 3  # places that were not read, or not compared
_EXCERPT = 30
_LEAST = 4  # provisions of each citation that are judged in any case

Item = tuple[str, str, str]
"""A citation, the words quoted from it, and the language it is wanted in."""


class _Row(ShownVerdict, total=False):
    citation: str


def answer_citations(
    library: Library,
    citations: Sequence[Item],
    on: date,
    *,
    asked: bool,
) -> ToolResult:
    """The verdict on each of several citations; an empty quote is none. ``asked``: for a day."""
    effort, allowance = Effort(), Allowance(_LEAST)
    verdicts = []
    for written, quote, language in citations:
        if allowance.refuses(written):
            why = "It was not judged: those before took what one call may cost."
            verdicts.append(
                Verdict(written, "unclear", why=why, quotes_left=bool(quote), units=0, unread=True)
            )
            continue
        resolution = resolve_item(library, written, on, language, allowance)
        verdicts.append(doubt_unread(judge(library, resolution, [quote] if quote else [], effort)))
    rows = [_build_row(each, on) for each in verdicts]
    warnings = _warn_of_stand(library, verdicts, on, asked=asked)
    warnings += _warn_of_effort(verdicts, effort.is_cut)
    warnings += _name_unjudged(verdicts)
    return _answer(library, verdicts, rows, on, warnings=warnings)


def answer_draft(  # noqa: PLR0913 - a draft, and how it is meant
    library: Library, text: str, on: date, language: str, *, asked: bool, shift: int = 0
) -> ToolResult:
    """The verdict on each citation of a draft; ``shift`` is what offsets in it have more."""
    check = check_draft(library, text, on, language=language)
    verdicts = [each.verdict for each in check.judged]
    rows = []
    for each in check.judged:
        row = _build_row(each.verdict, on)
        row["start"], row["end"] = each.start + shift, each.end + shift
        rows.append(row)
    warnings = _warn_of_stand(library, verdicts, on, asked=asked)
    warnings += _warn_of_effort(verdicts, check.is_cut)
    next_start = check.next_start
    if next_start is not None:
        next_start += shift
        least = "at least " if check.rest else ""
        said = f"{len(rows)} of {least}{check.total} citations were judged"
        if not check.total:
            said = f"No citation was read before character {next_start}"
        warnings.append(f"{said}; send the text from character {next_start} on for the rest.")
    warnings += _name_unread(check, text, shift)
    warnings += _name_unowned(check, text, shift)
    return _answer(library, verdicts, rows, on, warnings=warnings, draft=check, next_=next_start)


def _answer(  # noqa: PLR0913 - what both have
    library: Library,
    verdicts: Sequence[Verdict],
    rows: Sequence[_Row],
    on: date,
    *,
    warnings: list[str],
    draft: DraftCheck | None = None,
    next_: int | None = None,
) -> ToolResult:
    own: dict[str, object] = {"as_of": on, "results": rows, "summary": _summarise(verdicts)}
    if draft is not None:
        own["unread"] = len(draft.unread)
    named = {each.norm_id: each.citation for each in verdicts if each.norm_id}
    return result(
        any(each.is_found for each in verdicts),
        len(rows),
        draft.total if draft else len(rows),
        0,
        library.store.manifest.release,
        warnings=[*warnings, *tell_withheld(library)],
        next_offset=next_,
        blocks=[norm_link(*each) for each in list(named.items())[:LINKS]],
        own=own,
    )


def _build_row(verdict: Verdict, on: date) -> _Row:
    written = verdict.citation
    if len(written) > LONGEST_CITATION:  # a list of hundreds; a draft has it at start and end
        written = shorten(" ".join(written.split()), LONGEST_CITATION)
    return cast("_Row", {"citation": written, **build_verdict(verdict, on)})


def _summarise(verdicts: Sequence[Verdict]) -> dict[str, int]:
    found = sum(each.is_found for each in verdicts)
    return {
        "found": found,
        "not_found": len(verdicts) - found,
        "ambiguous": sum(each.status == "ambiguous" for each in verdicts),
        **count_verdicts(verdicts),
    }


def _warn_of_stand(
    library: Library, verdicts: Sequence[Verdict], on: date, *, asked: bool
) -> list[str]:
    """Where nobody has looked since: at federal law, if any is cited, and at each act of the EU."""
    acts = {act.statute_id: act for each in verdicts if (act := _find_act(library, each))}
    of_acts = warn_of_looks(library, map(LawHit, acts.values()), on, asked=asked)
    if any(_is_federal(each) for each in verdicts):
        return [*describe_stand(library, on, asked=asked), *of_acts]
    return of_acts


def _find_act(library: Library, verdict: Verdict) -> Statute | None:
    """The act of the EU that was found."""
    if not verdict.norm_id or not verdict.norm_id.startswith("eu/"):
        return None
    norm = library.store.find_norm(verdict.norm_id)
    return library.store.statutes.get(norm.statute_id if norm is not None else verdict.norm_id)


def _is_federal(verdict: Verdict) -> bool:
    if verdict.norm_id:
        return verdict.norm_id.startswith("de/")
    return verdict.status in {"norm_does_not_exist", "repealed", "law_unknown"}


def _warn_of_effort(verdicts: Sequence[Verdict], is_cut: bool) -> list[str]:
    """Of which citations quotes were left unchecked, and that some were not sought everywhere."""
    warnings = [_NOT_SOUGHT] if is_cut else []
    count = sum(each.quotes_left for each in verdicts)
    if not count:
        return warnings
    of = _name_numbers(number for number, each in enumerate(verdicts, 1) if each.quotes_left)
    said = f"quote of {of} was" if count == 1 else f"quotes of {of} were"
    return [f"{count} {said} {_NOT_CHECKED}", *warnings]


def _name_unjudged(verdicts: Sequence[Verdict]) -> list[str]:
    """The citations of which not all was judged."""
    them = _name_numbers(number for number, each in enumerate(verdicts, 1) if each.unread)
    if not them:
        return []
    why = "together they name more than one call may look up"
    return [f"Of {them} not all was judged: {why}. Send them again in fewer, or one by one."]


def _name_numbers(chosen: Iterable[int]) -> str:
    """Citations by their numbers from 1 on, in spans; empty where there is none."""
    numbers = list(chosen)
    starts = [each for each in numbers if each - 1 not in numbers]
    ends = [each for each in numbers if each + 1 not in numbers]
    spans = [f"{a}" if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    if not spans:
        return ""
    return f"citation {spans[0]}" if len(numbers) == 1 else f"citations {', '.join(spans)}"


def _name_unread(check: DraftCheck, text: str, shift: int) -> list[str]:
    count = len(check.unread)
    if not count:
        return []
    places = "place looks like a citation and was" if count == 1 else "places look like citations"
    were = "" if count == 1 else " and were"
    return [f"{count} {places}{were} not read as one: {_name_places(check.unread, text, shift)}."]


def _name_unowned(check: DraftCheck, text: str, shift: int) -> list[str]:
    """The quotations that were compared with nothing."""
    count = len(check.unowned)
    if not count:
        return []
    they = "quotation belongs" if count == 1 else "quotations belong"
    were = "was" if count == 1 else "were"
    named = _name_places(check.unowned, text, shift)
    return [f"{count} {they} to no citation that can be told and {were} not compared: {named}."]


def _name_places(places: Sequence[int], text: str, shift: int) -> str:
    named = ", ".join(
        f"{at + shift} ({' '.join(text[at : at + _EXCERPT].split())!r})" for at in places[:_NAMED]
    )
    return f"{named}, …" if len(places) > _NAMED else named
