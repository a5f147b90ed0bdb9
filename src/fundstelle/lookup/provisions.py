"""From the citation of a German provision and a day to its units, or to the miss."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from fundstelle.law.citations import (
    EuCitation,
    NormCitation,
    PathStep,
    name_ends,
    split_ends,
)
from fundstelle.law.identifiers import drop_zeros, to_id
from fundstelle.law.norms import Level, Norm, NormKind, Statute
from fundstelle.lookup.answers import Miss, Outcome, ProvisionHit
from fundstelle.lookup.dating.in_time import add_doubt, ask_for_version, choose_text
from fundstelle.lookup.dating.law_on_day import read_law
from fundstelle.lookup.former_laws import ask_former
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.misses.editions import (
    letter_or_word,
    several_annexes,
    several_sections,
)
from fundstelle.lookup.misses.norms import format_missing, miss_norm
from fundstelle.lookup.namesakes import ask_namesakes
from fundstelle.lookup.reading.divided import list_parts
from fundstelle.lookup.reading.laws import find_namesakes, suggest_namesakes
from fundstelle.lookup.reading.numbers import (
    KINDS,
    find_numbered,
    find_unnumbered,
    is_unnumbered,
    read_sign,
)
from fundstelle.lookup.reading.spans import list_span
from fundstelle.lookup.successors import add_successors
from fundstelle.lookup.texts import LookupRequest, read_norm, read_same, read_units

MOST_TARGETS = 20

_SPLIT_LETTER = re.compile(r"\d\s+f\b")
# "Anhang Nr. 5", "Anlage Nr. 1 und 5": a number that may be of a part and not of the annex
_ABBREVIATED = re.compile(r"(?P<number>\d+)\s+d\.\s")
_NUMMER = re.compile(r"\d+(?:\.\d+)*[a-z]?|[IVX]+", re.IGNORECASE)
_TORN = re.compile(r"(?<=\d)\s(?=[a-z](?!\w))")  # "2 a"
_WORD_OF_ANNEX = re.compile(r"\bAn[lh](?=age|ang|ä|\.)")
_SHORT = {"anl.": "Anlage", "anh.": "Anhang"}
_NUMMER_OF_ANNEX = re.compile(
    r"\b(?P<annex>Anlage|Anhang|An[lh]\.)s?\s*(?:Nrn?|Nummern?)\b\.?\s*"
    rf"(?P<numbers>(?:{_NUMMER.pattern})(?!\w)"
    rf"(?:\s*(?:,|und\b|oder\b|bis\b|-)\s*(?:Nr\.\s*)?(?:{_NUMMER.pattern})(?!\w))*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """What one target comes to; ``beyond`` counts what the cap leaves out.

    ``on`` is the day that the citation itself asks for.
    """

    outcomes: Sequence[Outcome]
    beyond: int = 0
    notes: Sequence[str] = ()
    on: date | None = None


def resolve_german(question: LookupRequest, target: NormCitation, statute: Statute | None) -> Found:
    """What is cited of a German law: ``statute``, or the one its name means."""
    found = _resolve_as_written(question, target, statute)
    plain = (
        drop_zeros(target.number) if target.number and target.unit == "Anlage" else target.number
    )
    if plain == target.number or not all(isinstance(one, Miss) for one in found.outcomes):
        return found
    again = _resolve_as_written(question, replace(target, number=plain), statute)
    if any(isinstance(one, Miss) for one in again.outcomes):
        return found
    return replace(again, notes=(*again.notes, f"{target.number} was read as {plain}"))


def _resolve_as_written(
    question: LookupRequest, target: NormCitation, statute: Statute | None
) -> Found:
    namesakes = (
        find_namesakes(question.library, question.written, target, question.on)
        if statute is None
        else [statute]
    )
    if isinstance(namesakes, Miss):
        return Found([add_successors(namesakes, question.library, None, target)])
    statute, *others = namesakes
    found = resolve_in_time(statute, question, target)
    told = ask_namesakes(
        question,
        target,
        [misses.add_age(one, question.library, statute) for one in found.outcomes],
        namesakes,
        lambda other: resolve_in_time(other, question, target).outcomes,
    )
    told = ask_former(
        question,
        told,
        statute,
        others,
        lambda former, asked: resolve_in_time(former, asked, target).outcomes,
    )
    outcomes = [
        add_successors(
            one, question.library, _find_repealed(question.library, one, statute), target
        )
        for one in told
    ]
    found = replace(found, outcomes=outcomes)
    if not others:
        return found
    outcomes = [suggest_namesakes(one, question.library, target, others) for one in outcomes]
    listed = [statute.abbreviation for statute in others if statute.listed]
    notes = found.notes
    if target.law in listed:  # it had the name before a law of today
        day, then = question.on.isoformat(), statute.abbreviation
        notes = (*notes, f"{target.law} is another law today; on {day} it was {then}")
    elif listed:
        notes = (*notes, f"{target.law} can also mean {', '.join(listed)}")
    return replace(found, outcomes=outcomes, notes=notes)


def _find_repealed(library: Library, outcome: Outcome, statute: Statute) -> Statute:
    """The law of which a miss says that it is repealed: that of the citation, or a former one."""
    about = outcome.about if isinstance(outcome, Miss) else None
    norm = library.store.find_norm(about.norm_id) if about is not None else None
    return library.store.statutes[norm.statute_id] if norm is not None else statute


def resolve_in_time(statute: Statute, question: LookupRequest, target: NormCitation) -> Found:
    """What is cited of that law, whichever name it was cited by.

    A year behind it names its edition, or the time asked about; "a.F." a text that has ended.
    """
    asked = ask_for_version(question, statute, target)
    if asked.year is None:
        found = _resolve_in(statute, asked, target)
        return replace(found, outcomes=add_doubt(asked, found.outcomes))
    store, number = question.library.store, _split(target)[0]
    norm = find_numbered(store, statute.statute_id, number, target.unit) if target.number else None
    told = choose_text(asked, statute, target.law or "", norm, asked.year)
    if isinstance(told, Miss):
        return Found([told])
    return replace(_resolve_in(statute, replace(asked, on=told), target), on=told)


def _resolve_in(statute: Statute, question: LookupRequest, target: NormCitation) -> Found:
    store = question.library.store
    if target.number is None and target.unit is None:
        return Found([read_law(question, statute)])
    number, path = _split(target)
    span = name_ends(target)
    if span.number_end or span.follow:
        annexed = _resolve_annexed(question, statute, target, None) if target.number_end else None
        return annexed or _resolve_span(question, span, statute, number)
    norm = find_numbered(store, statute.statute_id, number, target.unit)
    other = (
        _resolve_annexed(question, statute, target, norm)
        or _doubt_annex(question, statute, target, norm)
        or _resolve_nested(question, statute, target, norm)
        or _doubt_letter(question, statute, target, norm)
        or (_reread(question, statute, target) if norm is None else None)
    )
    if other is not None or norm is None:
        return other or Found([miss_norm(question, target, statute, number)])
    outcomes = read_same(question, statute, norm, path, target.unit or "")
    return cap(outcomes, _note_reading(question.library, norm, target, number, statute))


def _resolve_nested(
    question: LookupRequest, statute: Statute, target: NormCitation, norm: Norm | None
) -> Found | None:
    """``§ 16`` of a law whose §§ stand below Artikel: the only one, or those that can be meant."""
    number, path = _split(target)
    # of a law known for its Artikel "§ 5" was read as a slip
    is_section = "§" in question.written and "Art" not in question.written
    if not is_section or "/" in number or (norm is not None and read_sign(norm) != "Art"):
        return None
    nested = question.library.store.list_nested(statute.statute_id, number)
    norms = [norm, *nested] if norm is not None else nested
    if not nested:
        return None
    if len(norms) > 1:
        return Found([several_sections(question.written, statute, norms)])
    found = cap(read_same(question, statute, norms[0], path, "§"))
    return replace(found, notes=(f"read as {norms[0].citation}",))


def _doubt_letter(
    question: LookupRequest, statute: Statute, target: NormCitation, norm: Norm | None
) -> Found | None:
    """``§ 651 d. BGB``: of "des", or of § 651d, if there is one."""
    written = _ABBREVIATED.search(question.written)
    if norm is None or written is None or written["number"] != target.number or target.path:
        return None
    lettered = find_numbered(
        question.library.store, statute.statute_id, f"{target.number}d", target.unit
    )
    if lettered is None:
        return None
    return Found([letter_or_word(question.written, statute, [norm, lettered])])


def _doubt_annex(
    question: LookupRequest, statute: Statute, target: NormCitation, norm: Norm | None
) -> Found | None:
    """``Anhang 1`` of a law that has an Anlage 1, and an Anhang 1 to each of several Anlagen."""
    written = _WORD_OF_ANNEX.findall(question.written)
    if target.unit != "Anlage" or norm is None or written != ["Anh"] or norm.label[:3] != "Anl":
        return None
    annexes = question.library.store.list_norms(statute.statute_id, NormKind.ANNEX)
    named = [annex for annex in annexes if annex.label.startswith("Anh")]
    if not (parts := list_parts(named, target.number or "")):
        return None
    called = f"Anhang {target.number} {statute.abbreviation}"
    return Found([several_annexes(question.written, statute, called, [norm, *parts])])


def _resolve_annexed(
    question: LookupRequest, statute: Statute, target: NormCitation, norm: Norm | None
) -> Found | None:
    """``Anhang Nr. 5`` of a law whose annex bears no number: a part of it, if it has that part.

    ``norm`` is what bears the number as an annex; the only annex of a law is its first.
    """
    number = target.number or ""
    if target.unit != "Anlage" or not number or (norm is not None and not is_unnumbered(norm)):
        return None
    written = _NUMMER_OF_ANNEX.search(_TORN.sub("", question.written))
    if written is None or number not in _NUMMER.findall(written["numbers"]):
        return None
    word = _SHORT.get(written["annex"].casefold(), written["annex"])
    annex = find_unnumbered(question.library.store, statute.statute_id, word)
    if annex is None:
        return None
    step = PathStep(Level.NUMMER, number, target.number_end)
    part = replace(target, number=None, number_end=None, path=(step, *target.path))
    outcomes = read_same(question, statute, annex, part.path, "")
    if any(isinstance(each, ProvisionHit) and each.is_whole for each in outcomes):
        return None  # it shows no such part
    return cap(outcomes, _note_reading(question.library, annex, part, "", statute))


def bound_span(question: LookupRequest) -> int:
    """How many provisions of a range are read."""
    return min(MOST_TARGETS, question.most)


def _resolve_span(
    question: LookupRequest, target: NormCitation, statute: Statute, number: str
) -> Found:
    store = question.library.store
    span = list_span(store, statute.statute_id, number, target, bound_span(question))
    if not span[0]:
        bare = replace(target, path=(), number_end=None, follow=None)
        if target.number_end and find_numbered(store, statute.statute_id, number, target.unit):
            bare = replace(bare, number=target.number_end)  # it is the end that there is not
            number, _ = _split(bare)
        return Found([miss_norm(question, bare, statute, number)])
    found = read_span(question, statute, target, span)
    ends = _judge_ends(question, statute, target, is_cut=found.beyond > 0)
    return replace(found, outcomes=[*found.outcomes, *ends])


def _judge_ends(
    question: LookupRequest, statute: Statute, target: NormCitation, *, is_cut: bool
) -> list[Miss]:
    """The ends of a range that are named and are not there: ``§§ 433 bis 9999``.

    ``is_cut``: its last is beyond what an answer gives.
    """
    store, unit = question.library.store, target.unit
    bare = replace(target, path=(), number_end=None, follow=None)
    absent = []
    for end, path in ((bare, target.path), (replace(bare, number=target.number_end), ())):
        number = _split(replace(end, path=path))[0]
        norm = find_numbered(store, statute.statute_id, number, unit) if end.number else None
        if norm is not None and is_cut and end is not bare:
            there = read_units(question, statute, norm, split_ends(target.path)[1])
            absent += [each for each in there if isinstance(each, Miss)]
        elif norm is None and end.number and not store.list_nested(statute.statute_id, number):
            absent.append(miss_norm(question, end, statute, number))
    return absent


def read_span(
    question: LookupRequest,
    statute: Statute,
    target: NormCitation | EuCitation,
    span: tuple[list[Norm], int],
) -> Found:
    """Every provision of a range; a path belongs to its last: §§ 823 bis 826 Abs. 1.

    Those that it does not name are ``within``.
    """
    norms, total = span
    start, end = split_ends(target.path)
    outcomes: list[Outcome] = [read_norm(question, statute, norm) for norm in norms]
    has_last = bool(target.number_end) and total == len(norms)
    inner = slice(1, len(outcomes) - has_last)
    outcomes[inner] = [_set_within(each) for each in outcomes[inner]]
    if end and total == len(norms):
        outcomes[-1:] = read_units(question, statute, norms[-1], end)
    if start:
        outcomes[:1] = _read_start(question, statute, target, norms[0], start)
    return Found(outcomes, total - len(norms))


def _set_within(outcome: Outcome) -> Outcome:
    if isinstance(outcome, Miss | ProvisionHit):
        return replace(outcome, within=True)
    return outcome


def _read_start(
    question: LookupRequest,
    statute: Statute,
    target: NormCitation | EuCitation,
    norm: Norm,
    start: tuple[PathStep, ...],
) -> list[Outcome]:
    """The first provision of a range from the part on that the range begins with."""
    number = to_id(target.number or "")
    if number not in {norm.number, norm.norm_id.rpartition("_")[2]}:
        bare = replace(target, path=(), number_end=None, follow=None)
        return [miss_norm(question, bare, statute, number)]
    (step, *below) = start
    if not below:
        step = step if step.to else replace(step, to="ff")
        return read_units(question, statute, norm, (step,))
    first = read_units(question, statute, norm, start)[0]
    if not isinstance(first, ProvisionHit):
        return [first]
    whole = read_norm(question, statute, norm)
    begins = f"The range begins with {first.citation}; {norm.citation} is given as a whole."
    if not isinstance(whole, ProvisionHit):
        return [whole]
    return [replace(whole, warnings=(*whole.warnings, begins))]


def cap(outcomes: Sequence[Outcome], notes: Sequence[str] = ()) -> Found:
    """As many of them as one answer gives."""
    return Found(outcomes[:MOST_TARGETS], max(0, len(outcomes) - MOST_TARGETS), notes)


def _split(target: NormCitation) -> tuple[str, tuple[PathStep, ...]]:
    """The number as in the id and the path below it: Art. 229 § 5 is number ``229/5``."""
    number, path = target.number or "", target.path
    if target.unit and target.unit not in {"§", "Art"}:
        number = to_id(f"{target.unit} {number}")
    if path and path[0].level == Level.SECTION:
        return f"{number}/{path[0].value}", path[1:]
    return number, path


def _reread(question: LookupRequest, statute: Statute, target: NormCitation) -> Found | None:
    """``§ 7 f BGB``: the following section is meant where there is no § 7f."""
    number = target.number or ""
    if not number.endswith("f") or not _SPLIT_LETTER.search(question.written):
        return None
    if find_numbered(question.library.store, statute.statute_id, number[:-1], target.unit) is None:
        return None
    found = _resolve_in(statute, question, replace(target, number=number[:-1], follow="f"))
    note = f"read as § {number[:-1]} and the following, since there is no § {number}"
    return replace(found, notes=(*found.notes, note))


def _note_reading(
    library: Library, norm: Norm, target: NormCitation, number: str, statute: Statute
) -> tuple[str, ...]:
    """What was corrected: the sign that the law does not use, the range a section lies in."""
    if norm.number_end is not None and norm.number != to_id(number):
        return (f"{format_missing(library, statute, target)} is part of {norm.citation}",)
    if target.unit == "Anlage" and norm.number != number:
        return (f"{statute.abbreviation} has {norm.label}",)
    used = read_sign(norm)
    if target.unit not in KINDS or used is None or target.unit == used:
        return ()
    return (f"{statute.abbreviation} has {used}, not {target.unit}",)
