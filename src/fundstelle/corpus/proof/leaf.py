"""What a release proves of a text: its leaf, as JSON text (docs/proof.md). Pure.

The leaf is hashed and answered as the same characters, so that nobody who checks an answer has to
write JSON the same way. Nothing of the machine or its clock is in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

import orjson

from fundstelle.law.decisions import Decision


@dataclass(frozen=True, slots=True)
class NormLeaf:
    """One fassung of a norm; days are ISO, ``None`` where not known or open."""

    id: str
    citation: str  # of the whole norm
    title: str | None  # as it headed this fassung
    text_sha256: str
    starts: str | None  # first day; in force or seen, ``precision`` says which
    ends: str | None  # exclusive
    precision: str  # of ``law.norms.DatePrecision``
    before: str | None  # the day on which the fassung before was last seen
    stand: str  # the snapshot that showed this one last, or the day that an EU text is of
    look: str | None  # of an EU act's newest text: the last look at its publisher
    status: str  # of ``law.norms.NormStatus``, as the publisher has it
    source: str  # source_type
    kind: str = "norm"


@dataclass(frozen=True, slots=True)
class DecisionLeaf:
    """The text of a decision."""

    id: str
    citation: str
    title: str | None
    text_sha256: str
    court: str
    decision_type: str
    case_number: str | None
    ecli: str | None
    decision_date: str | None
    source: str
    kind: str = "decision"


_Reader = Callable[[Any], tuple[str | None, ...]]


def _read_in_order(kind: type[NormLeaf | DecisionLeaf]) -> tuple[Sequence[str], _Reader]:
    names = sorted(field.name for field in fields(kind))
    return names, attrgetter(*names)


_NORM, _DECISION = _read_in_order(NormLeaf), _read_in_order(DecisionLeaf)


def describe_decision(decision: Decision, text_sha256: str) -> DecisionLeaf:
    """The leaf of a decision with that text."""
    return DecisionLeaf(
        id=decision.decision_id,
        citation=decision.citation,
        title=decision.title,
        text_sha256=text_sha256,
        court=decision.court,
        decision_type=decision.decision_type.value,
        case_number=", ".join(decision.dockets) or None,
        ecli=decision.ecli,
        decision_date=decision.issued_on.isoformat() if decision.issued_on else None,
        source=decision.source_type,
    )


def dump_leaf(leaf: NormLeaf | DecisionLeaf) -> bytes:
    """The leaf as it is hashed: JSON in UTF-8, names in alphabetical order, no blanks."""
    names, read = _NORM if isinstance(leaf, NormLeaf) else _DECISION
    return orjson.dumps(dict(zip(names, read(leaf), strict=True)))


def load_leaf(written: str) -> NormLeaf | DecisionLeaf:
    """The inverse of ``dump_leaf``.

    Raises:
        ValueError: it is no leaf.
    """
    try:
        given: dict[str, Any] = orjson.loads(written)
        kind = {"norm": NormLeaf, "decision": DecisionLeaf}[given["kind"]]
        leaf: NormLeaf | DecisionLeaf = kind(**given)
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError("it is no leaf") from error
    if not all(value is None or isinstance(value, str) for value in given.values()):
        raise ValueError("it is no leaf")
    return leaf
