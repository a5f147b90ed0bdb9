"""One word on what a lookup came to: it can stand, it is wrong, or it cannot be told."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from fundstelle.citations.format import format_citation
from fundstelle.citations.parse import parse
from fundstelle.citations.text.clean import clean
from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    NormCitation,
    ReporterCitation,
    Target,
)
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import Level, NormStatus
from fundstelle.lookup.addresses import decision_path, find_page, norm_path
from fundstelle.lookup.answers import (
    WITHHELD,
    DecisionHit,
    LawHit,
    Miss,
    Outcome,
    ProvisionHit,
    Resolution,
)
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.quotes import QuoteCheck
from fundstelle.lookup.damage import REASON
from fundstelle.lookup.dating.between_looks import warn_of_gap
from fundstelle.lookup.dating.commencement import warn_of_commencement
from fundstelle.lookup.dating.ends import warn_of_end
from fundstelle.lookup.dating.newer import say_newer
from fundstelle.lookup.decisions.contradictions import say_unknown_day
from fundstelle.lookup.decisions.other_days import is_slip, list_of_other_days
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.gaps import JOINED
from fundstelle.lookup.misses.laws import FORMER, NAMESAKE, OTHER
from fundstelle.lookup.parts.units import format_steps, get_steps
from fundstelle.lookup.reading.land_names import say_land_laws
from fundstelle.lookup.texts import say_split
from fundstelle.lookup.validity.notes import Validity, find_validity_of_hit
from fundstelle.lookup.verdicts.beyond import say_unread, spare_unread
from fundstelle.lookup.verdicts.communities import tell_community
from fundstelle.lookup.verdicts.later import tell_later
from fundstelle.lookup.verdicts.pending import (
    tell_pending,
    tell_pending_of_law,
    tell_pending_of_miss,
)
from fundstelle.lookup.verdicts.quoted import (
    FAILED,
    check_quotes,
    explain,
    find_place,
    say_omitted,
)
from fundstelle.lookup.verdicts.statuses import OF_THE_STATUS, say_of_others, say_status

# The gravest first: of several provisions cited at once it is that of the worst.
VERDICTS = ("wrong", "repealed", "void", "unclear", "not_held", "ok")

IMPOSSIBLE = "impossible"  # the status of a decision whose day, senate or ECLI cannot be so

_OF_MISS = {
    "not_parseable": "unclear",
    "ambiguous": "unclear",
    "law_unknown": "unclear",
    "norm_does_not_exist": "wrong",
    "subunit_does_not_exist": "wrong",
    "repealed": "repealed",
    "not_yet_in_force": "wrong",
    "not_seen_yet": "unclear",
    "not_in_corpus": "not_held",
    "known_missing": "not_held",
    "outside_coverage": "not_held",
    WITHHELD: "unclear",
}
_OF_STATUS = {
    NormStatus.IN_FORCE: "ok",
    NormStatus.VOID: "void",
    NormStatus.PARTLY_VOID: "unclear",
    NormStatus.INCOMPATIBLE: "unclear",
    NormStatus.PARTLY_INCOMPATIBLE: "unclear",
    NormStatus.REMOVED: "unclear",
    NormStatus.REPEALED: "repealed",
    NormStatus.FUTURE: "wrong",
    NormStatus.NOT_SEEN: "unclear",
}
_LACKING = frozenset({"subunit_does_not_exist", "not_seen_yet"})
_CORRECT = frozenset({JOINED, FORMER, NAMESAKE})  # why what is suggested is what was cited
_FOLLOWING = re.compile(r" f{1,2}\.$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of one citation; ``verdict`` is one of ``VERDICTS``.

    ``correct`` is the citation that would be right, where that is known. ``status`` is the status
    of the miss or of the text that the verdict rests on. ``check`` is that of the worst of its
    quotations; ``quotes_left`` counts those that were not checked any more. ``units`` are the
    provisions and decisions that were looked up for it, ``unread`` says that it names more than
    one call could look up; ``is_found`` says that one was found,
    ``page`` is its address on this server; ``miss`` is what the verdict rests on, if it is one.
    ``why`` is all that is to be said, ``note`` what of it is of the citation alone.
    """

    citation: str
    verdict: str
    norm_id: str | None = None
    correct: str | None = None
    why: str = ""
    status: str = ""
    check: QuoteCheck | None = None
    quotes_left: int = 0
    units: int = 1
    is_found: bool = False
    page: str = ""
    miss: Miss | None = None
    note: str = ""
    unread: bool = False
    on: date | None = None  # the day that it is judged for; None = it was not judged

    @property
    def is_bad(self) -> bool:
        """Whether something of it must be changed: the citation, or the words quoted."""
        is_false = self.check is not None and self.check.status in FAILED
        return is_false or self.verdict in {"wrong", "repealed", "void"}


@dataclass(frozen=True, slots=True)
class _Opinion:
    verdict: str
    norm_id: str | None = None
    correct: str | None = None
    why: str = ""
    status: str = ""
    page: str = ""
    miss: Miss | None = None


def judge(
    library: Library,
    resolution: Resolution,
    quotes: Sequence[str] = (),
    effort: Effort | None = None,
    *,
    inferred: bool = False,
) -> Verdict:
    """The verdict on a citation and the words quoted from it.

    ``inferred``: its law was taken from the text around, so that nothing that is missing there
    makes it wrong. Several citations of one call share an ``effort``.
    """
    outcomes = (*resolution.outcomes, *resolution.unshown)
    opinions = [_judge_named(library, resolution, each) for each in outcomes]
    worst = min(opinions, key=lambda each: (VERDICTS.index(each.verdict), not each.why))
    verdict, why = worst.verdict, worst.why
    if inferred:
        norms = (each for each in resolution.targets if isinstance(each, NormCitation | EuCitation))
        law = next((each.law for each in norms if each.law), "Its law")
        if verdict != "ok":
            why = f"{law} was taken from the text before. {why}".strip()
        verdict = "unclear" if verdict == "wrong" else verdict
    if resolution.unread:
        verdict = "unclear" if verdict == "ok" else verdict
        said = f"Of what it names the first {len(opinions)} were judged; ask for the rest."
        why = f"{why} {said}".strip()
    named = worst if worst.norm_id else next((each for each in opinions if each.norm_id), worst)
    correct, of_quote = worst.correct, ""
    check, left = check_quotes(library, resolution, quotes, effort or Effort())
    if resolution.unread and check is not None and check.status in FAILED:
        check, left = None, left + 1  # it may stand in what was not looked up
    check = check and spare_unread(check, resolution)
    if check is not None and (unread := say_unread(check, resolution)):
        of_quote = unread
    elif check is not None and verdict in {"ok", "wrong"} and check.status != "verbatim":
        placed = find_place(library, check, resolution)
        correct = placed or correct
        of_quote = "" if verdict == "wrong" else explain(check, placed)
    if check is not None and check.omitted:
        of_quote = say_omitted(check.omitted)
    if library.is_damaged():
        verdict, correct, why = "unclear", None, f"{REASON} {why}".strip()
    return Verdict(
        resolution.written,
        verdict,
        named.norm_id,
        correct,
        " ".join(filter(None, (of_quote, why) if verdict == "ok" else (why, of_quote))),
        worst.status,
        check,
        left,
        len(opinions),
        len(resolution.misses) < len(opinions),
        named.page,
        worst.miss,
        why,
        resolution.unread > 0,
        resolution.on,
    )


def _judge_named(library: Library, resolution: Resolution, outcome: Outcome) -> _Opinion:
    """As ``_judge``; what only lies in a range, or behind "ff.", makes no citation wrong.

    Nor does a page that nothing is known of, beside the decision that is held.
    """
    if isinstance(outcome, Miss) and outcome.parallel:
        return _Opinion("ok", why=f"What is printed at {outcome.citation} is not known here.")
    opinion = _judge(library, resolution, outcome)
    if not isinstance(outcome, Miss | ProvisionHit) or not outcome.within:
        return opinion
    if opinion.verdict == "ok":
        return replace(opinion, why="")
    place = outcome.citation if isinstance(outcome, ProvisionHit) else ""
    why = f"Among them: {': '.join(filter(None, (place, opinion.why)))}"
    return _Opinion("ok", why=why)


def _judge(library: Library, resolution: Resolution, outcome: Outcome) -> _Opinion:
    if isinstance(outcome, Miss):
        return _judge_miss(library, resolution, outcome)
    if isinstance(outcome, LawHit):
        return _judge_law(library, resolution, outcome)
    correct = _correct(resolution, outcome.citation, library)
    notes = "; ".join(resolution.normalised) if correct else ""
    page = find_page(outcome)
    if isinstance(outcome, DecisionHit):
        if doubts := _list_doubts(resolution):  # its ECLI leads here, and what is beside it not
            why = "; ".join(doubts)
            return _Opinion("wrong", outcome.held_id, outcome.citation, why, IMPOSSIBLE, page)
        if unknown := say_unknown_day(resolution.targets, outcome.decision):
            return _Opinion("unclear", outcome.held_id, None, unknown, page=page)
        opinion = _Opinion("ok", outcome.held_id, correct, notes, page=page)
        return _doubt_following(outcome, opinion)
    validity = find_validity_of_hit(library, outcome)
    verdict = _OF_STATUS[validity.status]
    why = notes or say_of_others(validity) if verdict == "ok" else say_status(validity)
    if verdict == "ok" and (other := tell_community(resolution, outcome.statute)):
        correct, why = outcome.citation, other
    opinion = _Opinion(verdict, outcome.held_id, correct, why, validity.status, page)
    if verdict == "ok":
        opinion = _doubt(library, resolution, outcome, opinion)
        opinion = _add_pending(resolution, outcome, validity, opinion)
    return opinion


def _judge_law(library: Library, resolution: Resolution, hit: LawHit) -> _Opinion:
    statute = hit.statute
    known = _Opinion("ok", statute.statute_id, page=norm_path(statute.statute_id))
    if not statute.listed:
        why = OF_THE_STATUS[NormStatus.REMOVED] + "."
        return replace(known, verdict="unclear", why=why, status=NormStatus.REMOVED)
    if ended := warn_of_end(library, statute, resolution.get_day(hit)):
        return replace(known, verdict="unclear", why=ended[0])
    why = tell_community(resolution, statute)
    pending = tell_pending_of_law(statute, resolution.get_day(hit))[0]
    correct = statute.abbreviation if why else None
    return replace(known, correct=correct, why=" ".join(filter(None, (why, pending))))


def _add_pending(
    resolution: Resolution, hit: ProvisionHit, validity: Validity, opinion: _Opinion
) -> _Opinion:
    """What the publisher says that the text lacks; if that is in effect, nothing is sure."""
    said, is_due = tell_pending(validity, hit, resolution.get_day(hit))
    if not said:
        return opinion
    why = (said, opinion.why) if is_due else (opinion.why, said)
    verdict = "unclear" if is_due else opinion.verdict
    return replace(opinion, verdict=verdict, why=" ".join(filter(None, why)))


def _doubt_following(hit: DecisionHit, opinion: _Opinion) -> _Opinion:
    """``Rn. 26 f.`` where Rn. 26 is the last, as far as the text held goes."""
    named = _FOLLOWING.search(hit.citation)
    if named is None or not hit.segments or hit.start != hit.segments[-1].start:
        return opinion
    why = f"Nothing follows Rn. {hit.segments[-1].value} there."
    if not hit.decision.text_complete:
        return replace(opinion, verdict="unclear", why=why)
    return replace(opinion, verdict="wrong", correct=hit.citation[: named.start()], why=why)


def _doubt(
    library: Library, resolution: Resolution, hit: ProvisionHit, opinion: _Opinion
) -> _Opinion:
    """What stands there, unless it is cited with a part or a following one that nothing shows."""
    text = library, hit.statute, hit.fassung, resolution.get_day(hit)
    gap = (*warn_of_gap(*text), *warn_of_commencement(*text))
    gap += warn_of_end(library, hit.statute, resolution.get_day(hit))
    said = [say_newer(each, hit) for each in resolution.targets]
    newer = said[0] if said and all(said) else ""  # of all that is cited, as it must be of this
    if unsure := " ".join(filter(None, (say_land_laws(hit.statute), *gap, newer, hit.doubt))):
        return replace(opinion, verdict="unclear", why=unsure)
    if hit.rest:
        part = format_steps(hit.rest)
        why = f"{hit.citation} is there; {part} is not marked in its text and was not checked."
        return replace(opinion, verdict="unclear", why=why)
    if len(resolution.outcomes) == len(resolution.targets) == 1 and _lacks_following(
        library, hit, resolution.targets[0]
    ):
        why = f"Nothing follows {hit.citation} there."
        return replace(opinion, verdict="wrong", correct=hit.citation, why=why)
    if later := tell_later(library, resolution, hit):
        return replace(opinion, why=" ".join(filter(None, (opinion.why, later))))
    if hit.split and (hit.split.bare or hit.split.level == Level.NUMMER):
        return replace(opinion, correct=hit.citation, why=say_split(hit.split, hit.citation))
    return replace(opinion, why=opinion.why or next(iter(hit.warnings), ""))


def _lacks_following(library: Library, hit: ProvisionHit, target: Target) -> bool:
    """Whether ``f.`` or ``ff.`` is written behind the last of its kind."""
    if not isinstance(target, NormCitation | EuCitation):
        return False
    cited = [step for step in target.path if step.follows]
    if cited:
        levels = {step.level for step in get_steps(hit.segments, hit.unit)}
        return not (cited[0].lettered and Level.DOPPELBUCHSTABE in levels)  # "Buchst. b ff"
    if target.path or not target.follow:
        return False
    norm = hit.norm
    return library.store.find_neighbours(norm.statute_id, norm.number, norm.kind)[1] is None


def _judge_miss(library: Library, resolution: Resolution, miss: Miss) -> _Opinion:
    is_decision = any(isinstance(each, DecisionCitation) for each in resolution.targets)
    norm_id = miss.about.norm_id if miss.about else _find_whole(miss)
    address = decision_path if is_decision else norm_path
    opinion = _Opinion(
        _OF_MISS[miss.status],
        norm_id,
        next((each.citation for each in miss.suggestions if each.why in _CORRECT), None),
        miss.reason,
        miss.status,
        address(norm_id) if norm_id else "",
        miss,
    )
    if is_decision and (doubts := _list_doubts(resolution)):
        return replace(opinion, verdict="wrong", why=f"{'; '.join(doubts)}.", status=IMPOSSIBLE)
    if is_decision and miss.status == "not_in_corpus":
        others = list_of_other_days(library, resolution.written, resolution.targets)
        return _judge_day(opinion, resolution, others)
    day = resolution.get_day(miss)
    is_denied = not is_decision and opinion.verdict == "wrong"
    if is_denied and (said := tell_pending_of_miss(library, miss, norm_id, day)):
        return replace(opinion, verdict="unclear", why=f"{said} {opinion.why}")
    return opinion


def _judge_day(opinion: _Opinion, resolution: Resolution, others: Sequence[Decision]) -> _Opinion:
    """Of which days decisions are held under the Aktenzeichen, if none is of the day cited.

    It may stand for several, so that nothing is wrong by that; the one whose day differs by a slip
    of the pen is what may have been meant.
    """
    if not others:
        return opinion
    found = replace(opinion, verdict="unclear")
    cited = next(each for each in resolution.targets if isinstance(each, DecisionCitation))
    near = [each for each in others if is_slip(cited.issued_on, each.issued_on)]
    if len(near) != 1:
        return found
    [one] = near
    page = decision_path(one.decision_id)
    return replace(found, norm_id=one.decision_id, correct=one.citation, page=page)


def _find_whole(miss: Miss) -> str | None:
    """The provision that lacks what is cited of it, be it on that day."""
    if miss.status not in _LACKING:
        return None
    own = (each for each in miss.suggestions if not each.why.startswith(OTHER))
    return next((each.norm_id for each in own), None)


def _list_doubts(resolution: Resolution) -> list[str]:
    """What of a decision is impossible as it is written: a day, a senate, another ECLI."""
    if not any(isinstance(each, DecisionCitation) for each in resolution.targets):
        return []
    harmless = clean(resolution.written).notes
    pages = [one for one in resolution.targets if isinstance(one, ReporterCitation)]
    read = tuple(f"{format_citation(one)} was read as " for one in pages)  # which says whose it is
    notes = [note for note in resolution.normalised if not note.startswith(read)]
    return [note for note in notes if note not in harmless]


def _correct(resolution: Resolution, canonical: str, library: Library) -> str | None:
    """The canonical citation where the written one says something else, not only otherwise."""
    if not resolution.normalised or len(resolution.outcomes) > 1:
        return None
    has_other_sign = canonical.startswith("§") != ("§" in resolution.written)
    same = parse(canonical, library.names).targets == resolution.targets
    return None if same and not has_other_sign else canonical
