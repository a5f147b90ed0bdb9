"""One member of a list of provisions: a bare number in it, and what "f." and "ff." add to it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile

from fundstelle.law.citations import FOLLOWING, EuCitation, NormCitation
from fundstelle.law.norms import Level
from fundstelle.lookup.answers import Miss, Outcome, Place, ProvisionHit
from fundstelle.lookup.misses.editions import below_or_beside, part_or_provision
from fundstelle.lookup.misses.unprinted import lacks_number
from fundstelle.lookup.parts.units import get_steps
from fundstelle.lookup.provisions import Found
from fundstelle.lookup.reading.bare import (
    list_beside,
    list_guesses,
    list_others,
    name_before,
)
from fundstelle.lookup.reading.letters import (
    is_behind_absatz,
    list_spelt,
    read_as_below,
    read_as_double,
    read_as_letter,
)

Provision = NormCitation | EuCitation
Resolve = Callable[[Provision], Found]

_MOST_OTHERS = 3
_GONE = frozenset({"subunit_does_not_exist", "repealed"})  # an older text may have had the letter


def resolve_member(written: str, target: Provision, resolve: Resolve) -> Found:
    """What ``resolve`` finds of a citation, or of what else it can mean in a list ``written``.

    Where both are there, the other is named beside it.
    """
    lettered = read_as_letter(target)
    if lettered is not None:
        found = resolve(lettered)
        if _bears_letter(found) or _bears_letter(resolve(_name_now(lettered))):
            return _name_beside(found, resolve(target))
    double = read_as_double(target)
    if double is not None and _is_there(found := resolve(double)):
        return found
    found = resolve(target)
    below = read_as_below(target)
    if below is not None:
        found = _read_below(written, below, found, resolve(below))
    others = list_others(target)
    if isinstance(first := found.outcomes[0], Miss):
        respelt = _respell(target, first, resolve)
        return respelt or _reread(written, target, first, others, resolve) or found
    if is_behind_absatz(target):
        return _prefer_absatz(target, found, resolve)
    found = _mind_last(target, found)
    for other in others or list_beside(target):
        found = _name_beside(found, resolve(other))
    return found


def _respell(target: Provision, missed: Miss, resolve: Resolve) -> Found | None:
    """``§ 34 III a BauGB``, ``Abs. 1 a``, ``Abs 2 f``: the part of that letter, or what follows."""
    if missed.status not in _GONE:
        return None
    read = list[Found]()
    for spelt in list_spelt(target):
        found = resolve(spelt)
        is_lone = len(found.outcomes) == 1 and any(step.follows for step in spelt.path)
        is_far = is_behind_absatz(spelt) and _is_far(found)
        if _is_there(found) and not (is_lone or is_far):
            read.append(found)
    if not read:
        return None
    first, *others = read
    for other in others:
        first = _name_beside(first, other)
    return first


def _prefer_absatz(target: Provision, found: Found, resolve: Resolve) -> Found:
    """``§ 34 III a``, where a letter a stands somewhere below Abs. 3, and there is an Abs. 3a."""
    joined = resolve(next(list_spelt(target)))
    if not _is_there(joined):
        return found
    is_below = _is_there(found) and not _is_far(found)
    return _name_beside(found, joined) if is_below else _name_beside(joined, found)


def _is_far(found: Found) -> bool:
    """Whether a letter behind an Absatz is of a Nummer or a later sentence, which none names."""
    hit = found.outcomes[0]
    steps = get_steps(hit.segments, hit.unit) if isinstance(hit, ProvisionHit) else ()
    above = takewhile(lambda step: step.level != Level.BUCHSTABE, steps)
    return any(
        step.level == Level.NUMMER or (step.level == Level.SATZ and step.value != "1")
        for step in above
    )


def _read_below(written: str, target: Provision, found: Found, below: Found) -> Found:
    """``Buchst. f, Satz 2``: of f, of its Absatz, or not told where f has no second sentence."""
    if _is_there(below):
        return _name_beside(below, found)
    part, hit = below.outcomes[0], found.outcomes[0]
    is_sentence = any(step.level == Level.SATZ for step in target.path)
    if not is_sentence or not isinstance(part, Miss) or not isinstance(hit, ProvisionHit):
        return found
    if part.status != "subunit_does_not_exist":
        return found
    return Found([below_or_beside(written, part, hit)])


def _reread(
    written: str,
    target: Provision,
    missed: Miss,
    others: Sequence[Provision],
    resolve: Resolve,
) -> Found | None:
    """``Art. 6 Abs. 1, 13 DSGVO``, where Art. 6 has no Abs. 13: Art. 13, if there is one.

    ``§§ 2 Abs. 1, 3`` the other way about. Where it is a guess, both are told, and what can be no
    more than a part that is not there is denied: ``Art. 15 Abs. 1, 3 und 5 DSGVO``.
    """
    is_denied = missed.status == "subunit_does_not_exist" or (
        target.repeats is not None and lacks_number(missed)
    )
    if not is_denied:
        return None
    read = [again for again in map(resolve, others) if isinstance(again.outcomes[0], ProvisionHit)]
    before = name_before(target)
    is_near = before is not None and _is_there(resolve(before))
    if read and not is_near:
        first, *more = read
        for other in more:
            first = _name_beside(first, other)
        return first
    is_far = before is not None and not is_near
    may_guess = is_near or not others or target.unit == "Art"  # others that are not there
    guesses = list_guesses(target, is_far=is_far) if may_guess else []
    if not guesses and (near := name_before(target, is_few=True)) and not _is_there(resolve(near)):
        guesses = list_guesses(target, is_far=True)  # it falls, and there are not so many parts
    found = (resolve(guess).outcomes[0] for guess in guesses)
    hit = next((one for one in found if isinstance(one, ProvisionHit)), None)
    return Found([part_or_provision(written, missed, hit)]) if hit is not None else None


def _is_there(found: Found) -> bool:
    """Whether that is a part which the text shows."""
    first = found.outcomes[0]
    return isinstance(first, ProvisionHit) and not first.rest


def _mind_last(target: Provision, found: Found) -> Found:
    """``§ 2385 f. BGB``: what is cited with those that follow, and is the last of its kind."""
    [first, *others] = found.outcomes
    follows = target.path[-1].follows if target.path else target.follow in FOLLOWING
    if others or not follows or not isinstance(first, ProvisionHit) or first.rest:
        return found
    nothing = f"Nothing follows {first.citation} there."
    return replace(found, outcomes=[replace(first, warnings=(*first.warnings, nothing))])


def _name_now(target: Provision) -> Provision:
    """The provision as it is now, whichever text of it is cited: whether there is one."""
    return replace(target, version=None)


def _bears_letter(found: Found) -> bool:
    """Whether that is a section with a letter, and not read as the one without."""
    first = found.outcomes[0]
    return isinstance(first, ProvisionHit) and first.norm.number.endswith("f")


def _name_beside(found: Found, other: Found) -> Found:
    """``found``, with what the other reading comes to among its alternatives."""
    [first, *others] = found.outcomes
    places = _list_places(other.outcomes)
    if not isinstance(first, ProvisionHit) or not places:
        return found
    beside = (*first.alternatives, *places)
    return replace(found, outcomes=[replace(first, alternatives=beside), *others])


def _list_places(outcomes: Sequence[Outcome]) -> list[Place]:
    hits = [outcome for outcome in outcomes if isinstance(outcome, ProvisionHit)]
    return [Place(hit.citation, hit.held_id) for hit in hits[:_MOST_OTHERS]]
