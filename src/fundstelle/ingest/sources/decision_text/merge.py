"""One decision from two publishers becomes one record with both sources."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from fundstelle.ingest.records import ParsedDecision
from fundstelle.ingest.sources.registry import NEURIS
from fundstelle.law.decisions import EU_DECISIONS, Decision, DecisionSource, docket_key

_Key = tuple[str, ...]
Number = tuple[str, str]
"""What a publisher calls a document: the source type and its number."""

# Source types of courts and official portals; the others collect what those published.
_ORIGINALS = frozenset(
    {"rii", "bag", "bayern", "bfh", "bverwg", "legaldocml", EU_DECISIONS, NEURIS.source_type},
)
# Not yet the publisher of record (ADR 0028): another original's text stays before its own.
_ON_TRIAL = frozenset({NEURIS.source_type})
# Their numbers stay when they correct a document; those of others are names of files or made of
# what may be corrected.
_NUMBERED = frozenset({"rii", "legaldocml", EU_DECISIONS, NEURIS.source_type})


def find_number(source: DecisionSource) -> Number | None:
    """The number under which a publisher corrects a decision; ``None`` where it has none."""
    has_number = source.source_type in _NUMBERED and source.publisher_id
    return (source.source_type, source.publisher_id) if has_number else None


def identify(source: DecisionSource) -> tuple[str, ...]:
    """What two records of one decision have in common where the later takes the other's place."""
    return find_number(source) or (source.source_type,)


def merge_decisions(decisions: Sequence[ParsedDecision]) -> list[ParsedDecision]:
    """The decisions, each once, in the order in which the first record of each came.

    Records are of one decision if they have the same ECLI, or court, day, kind and a docket in
    common without different ECLIs. Where a record names the dockets of several that have nothing in
    common themselves, none of them is put together with another: they may be joined cases, or the
    record may be wrong. A text of a court or its portal is kept before one of a collection, then
    the fuller one; what it lacks comes from the others.
    """
    groups = group_records(parsed.decision for parsed in decisions)
    return [merge_records([decisions[number] for number in group]) for group in groups]


def group_records(decisions: Iterable[Decision]) -> list[list[int]]:
    """The numbers of the records of each decision, as :func:`merge_decisions` puts them together.

    The time grows with the number of records and dockets, however many have one in common.
    """
    groups = _Groups()
    for number, decision in enumerate(decisions):
        groups.add(number, decision)
    return groups.list_numbers()


@dataclass(slots=True)
class _Group:
    """Records of one decision; ``place`` is the number of the first that came."""

    place: int
    numbers: list[int]
    keys: set[_Key]
    common: set[_Key]  # those that all of them have
    ecli: str | None


@dataclass(slots=True)
class _Groups:
    """Groups by what can lead a record to them.

    No two groups have one ECLI, and one without an ECLI shares no key with any other: what shares
    one joins it. So a record leads to a group of its ECLI, to those without one that share a key,
    and, if it has no ECLI, to the first of those with one that share a key.
    """

    _by_place: dict[int, _Group] = field(default_factory=dict)
    _by_ecli: dict[str, _Group] = field(default_factory=dict)
    _unnamed: dict[_Key, _Group] = field(default_factory=dict)  # those without an ECLI
    _named: dict[_Key, _Group] = field(default_factory=dict)  # the first of those with one
    _ids: dict[int, str] = field(default_factory=dict)  # by number: what the record calls itself

    def add(self, number: int, decision: Decision) -> None:
        """Put a record into its group; it may join several into one."""
        ecli = decision.ecli.casefold() if decision.ecli else None
        keys = _list_keys(decision)
        found = {group.place: group for key in keys if (group := self._unnamed.get(key))}
        if named := self._find_named(ecli, keys):
            found[named.place] = named
        own = _Group(number, [number], keys, set(keys), ecli)
        self._ids[number] = ecli or decision.decision_id.casefold()
        first, *rest = [found[place] for place in sorted(found)] or [own]
        for group in [own, *rest] if first is not own else []:
            first.numbers += group.numbers
            first.keys |= group.keys
            first.common &= group.common
            first.ecli = first.ecli or group.ecli
            self._by_place.pop(group.place, None)
        self._by_place[first.place] = first
        is_as_before = not rest and (first is named or not first.ecli)
        self._lead(first, keys if is_as_before else first.keys)

    def list_numbers(self) -> list[list[int]]:
        """The numbers of each group, by the first that came."""
        return [
            numbers
            for place in sorted(self._by_place)
            for numbers in self._split(self._by_place[place])
        ]

    def _split(self, group: _Group) -> list[list[int]]:
        """The group as it is, or by what its records call themselves if nothing unites them."""
        if group.common:
            return [group.numbers]
        parts: dict[str, list[int]] = {}
        for number in group.numbers:
            parts.setdefault(self._ids[number], []).append(number)
        return list(parts.values())

    def _find_named(self, ecli: str | None, keys: Iterable[_Key]) -> _Group | None:
        if ecli:
            return self._by_ecli.get(ecli)
        named = [group for key in keys if (group := self._named.get(key))]
        return min(named, key=lambda group: group.place, default=None)

    def _lead(self, group: _Group, keys: Iterable[_Key]) -> None:
        if not group.ecli:
            self._unnamed.update(dict.fromkeys(keys, group))
            return
        self._by_ecli[group.ecli] = group
        for key in keys:
            self._unnamed.pop(key, None)
            held = self._named.get(key)
            if held is None or self._by_ecli[held.ecli or ""].place >= group.place:
                self._named[key] = group


def _list_keys(decision: Decision) -> set[_Key]:
    """What two records share that may be of one decision: the id, or a docket of one day."""
    keys: set[_Key] = {(decision.decision_id,)}
    if decision.issued_on is not None:
        day, kind = decision.issued_on.isoformat(), decision.decision_type.value
        keys |= {(decision.court, docket_key(one), day, kind) for one in decision.dockets}
    return keys


def merge_records(group: Sequence[ParsedDecision], ages: Sequence[int] = ()) -> ParsedDecision:
    """One record of several of the same decision; of a lower age is what was published later."""
    if len(group) == 1:
        return group[0]
    return _join(_order(group, ages or [0] * len(group)))


def _order(records: Sequence[ParsedDecision], ages: Sequence[int]) -> list[ParsedDecision]:
    """The best first, then the fuller; of equals that which came first.

    What a publisher has issued anew, under another number, comes last as it was before: its words
    may have been wrong, however many they are.
    """
    found = list(zip(records, ages, strict=True))
    current, before = list[ParsedDecision](), list[tuple[int, ParsedDecision]]()
    for one, age in found:
        if any(other < age and _takes_place_of(newer, one) for newer, other in found):
            before.append((age, one))
        else:
            current.append(one)
    current.sort(key=_measure, reverse=True)
    before.sort(key=lambda each: _measure(each[1]), reverse=True)
    before.sort(key=lambda each: each[0])
    return [*current, *(one for _, one in before)]


def _takes_place_of(newer: ParsedDecision, older: ParsedDecision) -> bool:
    """Whether the publisher of a text is one of a newer record that is no worse."""
    types = {source.source_type for source in newer.decision.sources}
    return older.decision.sources[0].source_type in types and _rank(newer) >= _rank(older)


def _measure(parsed: ParsedDecision) -> tuple[bool, bool, bool, int]:
    return *_rank(parsed), len(parsed.text.text)


def update_record(new: ParsedDecision, old: Iterable[ParsedDecision]) -> ParsedDecision:
    """A decision that was read anew, with what older records have of other documents.

    The text is that of the better publisher, then the fuller, whichever was read last; one that
    was read anew has no other, and comes before what its publisher issued under another number.
    """
    given = set(map(identify, new.decision.sources))
    rivals, rest = [new], list[ParsedDecision]()
    for record in old:
        before = record.decision
        others = tuple(one for one in before.sources if identify(one) not in given)
        if others:
            # an ECLI that was corrected is nobody's
            ecli = new.decision.ecli or before.ecli
            kept = replace(record, decision=replace(before, sources=others, ecli=ecli))
            is_of_others = before.sources[0] in others  # the first is whose text it is
            (rivals if is_of_others else rest).append(kept)
    ages = [0, *(1 for _ in rivals[1:])]
    return _join([*_order(rivals, ages), *rest]) if len(rivals) + len(rest) > 1 else new


def _join(ranked: Sequence[ParsedDecision]) -> ParsedDecision:
    """The first record, with what it lacks of those behind it.

    A collection gives a court's own record its address alone: what it says of a decision may be
    wrong, and would stay when it is corrected there.
    """
    decisions = [each.decision for each in ranked]
    best, text = decisions[0], ranked[0].text
    ecli = next((each.ecli for each in decisions if each.ecli), None)
    giving = [one for one in decisions if _is_original(one)] if _is_original(best) else decisions
    merged = replace(
        best,
        decision_id=ecli or best.decision_id,
        ecli=ecli,
        dockets=tuple(_iter_dockets(giving)),
        panel=next((each.panel for each in giving if each.panel), None),
        title=next((each.title for each in giving if each.title), None),
        norms=next((each.norms for each in giving if each.norms), None),
        lower_instances=next((d.lower_instances for d in giving if d.lower_instances), ()),
        sources=tuple(dict.fromkeys(source for each in decisions for source in each.sources)),
    )
    return ParsedDecision(merged, replace(text, decision_id=merged.decision_id))


def _rank(parsed: ParsedDecision) -> tuple[bool, bool, bool]:
    decision = parsed.decision
    is_settled = decision.sources[0].source_type not in _ON_TRIAL  # the first has given the text
    return decision.text_complete, _is_original(decision), is_settled


def _is_original(decision: Decision) -> bool:
    return any(source.source_type in _ORIGINALS for source in decision.sources)


def _iter_dockets(decisions: Sequence[Decision]) -> Iterator[str]:
    """Each docket once, in the spelling of the fullest record."""
    seen = set()
    for decision in decisions:
        for docket in decision.dockets:
            if docket_key(docket) not in seen:
                seen.add(docket_key(docket))
                yield docket
