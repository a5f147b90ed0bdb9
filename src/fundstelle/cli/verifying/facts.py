"""Whether what an answer says of a text is what its leaf says. Pure.

What a server works out beside a release (what a note of the publisher means for the status, a day
by the law's own words, addresses) no leaf has: it is named as not covered, never as right.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fundstelle.corpus.proof.leaf import DecisionLeaf, NormLeaf
from fundstelle.law.norms import DatePrecision, NormStatus
from fundstelle.tools.answers.units import HASH_SCOPE

_IN_FORCE = frozenset(one.value for one in DatePrecision if one.is_in_force)
_WORKED_OUT = frozenset(
    (
        *(NormStatus.VOID, NormStatus.PARTLY_VOID),
        *(NormStatus.INCOMPATIBLE, NormStatus.PARTLY_INCOMPATIBLE, NormStatus.REMOVED),
    )
)
# Words and their places are compared elsewhere, and these hold others. Where in the text a lead-in
# stands is in no leaf.
_ELSEWHERE = frozenset(
    (
        *("content", "content_start", "content_end", "segments"),
        *("provenance", "provenance.proof", "decision"),
    )
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What does not fit, with what the release says, and the names of what no leaf has."""

    wrong: tuple[tuple[str, str], ...]
    uncovered: tuple[str, ...]


def list_facts(unit: Mapping[str, Any], leaf: NormLeaf | DecisionLeaf) -> Facts:
    """Compare the fields of a unit, named by their paths ("provenance.version_date")."""
    shown = dict(_flatten(unit))
    allowed = _allow_norm(shown, leaf) if isinstance(leaf, NormLeaf) else _allow_decision(leaf)
    wrong = [
        (name, f"{shown.get(name)!r} is not what the release says: {_name(values)}")
        for name, values in allowed.items()
        if (name in shown or name == "norm_id") and shown.get(name) not in values
    ]
    if not names_unit(str(shown.get("citation", "")), leaf.citation):
        wrong.append(("citation", f"it is no part of {leaf.citation}"))
    covered = allowed.keys() | _ELSEWHERE
    if shown.get("citation") == leaf.citation:  # else: which part of it
        covered |= {"citation"}
    uncovered = [name for name in shown if name not in covered]
    if shown.get("segments"):
        uncovered.append("segments.label")
    return Facts(tuple(wrong), tuple(uncovered))


def say_what(leaf: NormLeaf | DecisionLeaf) -> str:
    """The text that a leaf is of, with its days: an answer may have left them out."""
    if isinstance(leaf, DecisionLeaf):
        return leaf.citation
    first = "in force from" if leaf.precision in _IN_FORCE else "first seen"
    days = ((first, leaf.starts), ("as of", leaf.stand), ("another text or none from", leaf.ends))
    return ", ".join([leaf.citation, *(f"{word} {day}" for word, day in days if day)])


def names_unit(written: str, whole: str) -> bool:
    """Whether a citation is that of a whole text, or the same with a part named inside or behind.

    § 5 Abs. 1 BGB is of § 5 BGB; § 6 BGB and § 7 und § 5 BGB are not.
    """
    said, words = written.replace(",", " ").split(), whole.replace(",", " ").split()
    more = len(said) - len(words)
    return more >= 0 and any(
        said[:at] == words[:at] and said[at + more :] == words[at:]
        for at in range(min(2, len(words) - 1), len(words) + 1)  # behind sign and number
    )


def _flatten(unit: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in unit.items():
        yield name, value
        if name in {"provenance", "decision"} and isinstance(value, dict):
            yield from ((f"{name}.{inner}", each) for inner, each in value.items())


def _allow_norm(shown: Mapping[str, Any], leaf: NormLeaf) -> dict[str, tuple[str | None, ...]]:
    """The values that a field may have; a field that is missing here no leaf has."""
    seen = (leaf.stand, leaf.look) if leaf.look else (leaf.stand,)
    allowed: dict[str, tuple[str | None, ...]] = {
        "norm_id": (leaf.id,),
        "title": (leaf.title,),
        "provenance.text_sha256": (leaf.text_sha256,),
        "provenance.hash_scope": (HASH_SCOPE,),
        "provenance.version_date": seen,
        "provenance.last_seen": seen,
        "provenance.valid_to": (leaf.ends,),
    }
    if shown.get("status") not in _WORKED_OUT:
        allowed["status"] = (leaf.status,)
    if leaf.starts is None:
        return allowed
    if leaf.precision in _IN_FORCE:
        if shown.get("provenance.date_basis") != "text":
            allowed["provenance.valid_from"] = (leaf.starts,)
            allowed["last_changed"] = (leaf.starts,)
        return allowed
    allowed["provenance.first_seen"] = (leaf.starts,)
    if leaf.before is not None:
        allowed["provenance.not_seen_before"] = (leaf.before,)
    return allowed


def _allow_decision(leaf: DecisionLeaf) -> dict[str, tuple[str | None, ...]]:
    return {
        "norm_id": (leaf.id,),
        "title": (leaf.title,),
        "status": (NormStatus.IN_FORCE.value,),
        "provenance.text_sha256": (leaf.text_sha256,),
        "provenance.hash_scope": (HASH_SCOPE,),
        "provenance.version_date": (leaf.decision_date,),
        "decision.court": (leaf.court,),
        "decision.decision_type": (leaf.decision_type,),
        "decision.case_number": (leaf.case_number,),
        "decision.ecli": (leaf.ecli,),
        "decision.decision_date": (leaf.decision_date,),
    }


def _name(values: tuple[str | None, ...]) -> str:
    return " or ".join(value or "nothing" for value in values)
