"""One decision from two publishers becomes one record with both sources."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fundstelle.ingest.records import ParsedDecision
from fundstelle.law.decisions import Decision, docket_key


def merge_decisions(decisions: Sequence[ParsedDecision]) -> list[ParsedDecision]:
    """The decisions, each once, in the order in which the first record of each came.

    Records are of one decision if they have the same ECLI, or court, day, kind and a docket in
    common without different ECLIs. The fuller text is kept; what it lacks comes from the others.
    """
    groups: list[list[ParsedDecision]] = []
    for parsed in decisions:
        found: list[ParsedDecision] | None = None
        for group in list(groups):
            if not _is_one([parsed] if found is None else found, group):
                continue
            if found is None:
                group.append(parsed)
                found = group
            else:
                found.extend(group)
                groups.remove(group)
        if found is None:
            groups.append([parsed])
    return [_merge(group) for group in groups]


def _is_one(some: Sequence[ParsedDecision], others: Sequence[ParsedDecision]) -> bool:
    return not _differ(some, others) and any(_is_same(a, b) for a in some for b in others)


def _differ(some: Sequence[ParsedDecision], others: Sequence[ParsedDecision]) -> bool:
    first, second = _list_eclis(some), _list_eclis(others)
    return bool(first and second and first != second)


def _list_eclis(group: Sequence[ParsedDecision]) -> set[str]:
    return {each.decision.ecli.casefold() for each in group if each.decision.ecli}


def _is_same(one: ParsedDecision, other: ParsedDecision) -> bool:
    first, second = one.decision, other.decision
    if first.ecli and second.ecli:
        return first.ecli.casefold() == second.ecli.casefold()
    if first.decision_id == second.decision_id:
        return True
    return first.issued_on is not None and not _list_keys(first).isdisjoint(_list_keys(second))


def _list_keys(decision: Decision) -> set[tuple[str, ...]]:
    day = decision.issued_on.isoformat() if decision.issued_on else ""
    kind = decision.decision_type.value
    return {(decision.court, docket_key(docket), day, kind) for docket in decision.dockets}


def _merge(group: Sequence[ParsedDecision]) -> ParsedDecision:
    if len(group) == 1:
        return group[0]
    ranked = sorted(
        group, key=lambda each: (each.decision.text_complete, len(each.text.text)), reverse=True
    )
    decisions = [each.decision for each in ranked]
    best, text = decisions[0], ranked[0].text
    ecli = next((each.ecli for each in decisions if each.ecli), None)
    merged = replace(
        best,
        decision_id=ecli or best.decision_id,
        ecli=ecli,
        dockets=tuple(_iter_dockets(decisions)),
        panel=next((each.panel for each in decisions if each.panel), None),
        title=next((each.title for each in decisions if each.title), None),
        norms=next((each.norms for each in decisions if each.norms), None),
        lower_instances=next((d.lower_instances for d in decisions if d.lower_instances), ()),
        sources=tuple(dict.fromkeys(source for each in decisions for source in each.sources)),
    )
    return ParsedDecision(merged, replace(text, decision_id=merged.decision_id))


def _iter_dockets(decisions: Sequence[Decision]) -> Iterator[str]:
    """Each docket once, in the spelling of the fullest record."""
    seen = set()
    for decision in decisions:
        for docket in decision.dockets:
            if docket_key(docket) not in seen:
                seen.add(docket_key(docket))
                yield docket
