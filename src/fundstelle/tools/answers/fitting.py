"""What is left out of an answer that would be larger than its tool promises, and how it is told.

The texts are planned to fit (``sizes``); this holds the promise where what stands around them is
more than was thought: long lists of misses, quotations, hundreds of units, details. What says
least goes first, of the last citations first, and a warning beside it names it and the way to it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

import orjson

from fundstelle.tools.answers.budgets import shorten
from fundstelle.tools.answers.quotes import cut_middle
from fundstelle.tools.answers.sizes import ENVELOPE_BYTES

Fields: TypeAlias = "dict[str, Any]"

_MISSES = 3  # of an item, that are told in full
_OF_MISS = ("evidence", "suggestions", "next_step")  # what a miss in short has not
_OF_DETAILS = ("segments", "footnotes", "notes")
_MATCH = 300
_DIFFERENCES = 5
_CITATION = 120
_WARNINGS = 3
_NAMES = ("norm_id", "citation", "as_of")


class _Row:
    """An item of an answer, and what was left out of it."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.misses: list[str] = []
        self.names: list[str] = []
        self.details: list[str] = []
        self.are_short = self.is_quote_short = self.is_miss_short = self.is_read_alone = False
        self.warnings = 0

    @property
    def further(self) -> list[Fields]:
        """The units behind the first."""
        units: list[Fields] = self.fields.get("norms", [])[1:]
        return units

    @property
    def listed(self) -> list[Fields]:
        misses: list[Fields] = self.fields.get("misses", [])
        return misses

    def measure(self) -> int:
        told = sum(len(orjson.dumps(each)) + 1 for each in self.tell())
        return len(orjson.dumps(self.fields)) + 1 + told

    def tell(self) -> list[str]:
        """A sentence for each kind of thing that is not given."""
        said = []
        first: Fields = self.fields.get("norm", {})
        units = [first, *self.further] if first else []
        bare = [each["citation"] for each in units if "content" not in each]
        if bare := bare + self.names[::-1]:
            come, them = ("comes", "it") if len(bare) == 1 else ("come", "them")
            said.append(
                f"{_span(bare)} {come} without text, for the size of the answer; legal_lookup"
                f" gives {them}, or a call for fewer with more max_chars."
            )
        repeated: Fields = self.fields.get("norms", [first])[0]
        if "content" in first and "content" not in repeated:
            said.append(f"The text of {first['citation']} is given once, in norm.")
        if self.details:
            without = "segments, footnotes, notes and proof"
            said.append(f"{_span(self.details[::-1])} without {without}: look them up alone.")
        if self.are_short:
            said.append(f"Misses behind the first {_MISSES} are told in short.")
        if self.misses:
            are = "miss is" if len(self.misses) == 1 else "misses are"
            last = shorten(self.misses[0], _CITATION)
            said.append(
                f"{len(self.misses)} more {are} not listed; look up fewer at once. The last: {last}"
            )
        if self.is_quote_short:
            said.append("quote_check is shortened; legal_lookup with this quote has it in full.")
        if self.is_miss_short:
            said.append("What is known about the place is left out; legal_lookup has it.")
        if self.is_read_alone:
            said.append("What was corrected to read it is left out; legal_lookup has it.")
        if self.warnings:
            said.append(f"{self.warnings} more warnings are left out; legal_lookup has them.")
        return said


def fit_rows(rows: Sequence[Fields], most: int) -> None:
    """Leave out what goes beyond ``most`` bytes, and tell of each row what it lacks."""
    kept = [_Row(fields) for fields in rows]
    sizes = [row.measure() for row in kept]
    over = sum(sizes) - most
    for leave_out in _STEPS:
        for index in reversed(range(len(kept))):
            while over > 0 and leave_out(kept[index]):
                size = kept[index].measure()
                over += size - sizes[index]
                sizes[index] = size
    for row in kept:
        row.fields["warnings"] = [*row.fields["warnings"], *row.tell()]


def fit_answer(fields: Mapping[str, Any], warnings: Sequence[str], most: int) -> list[str]:
    """The same for the only item of an answer; what it has to say in warnings."""
    row = cast("Fields", fields)
    row["warnings"] = warnings
    fit_rows([row], most - ENVELOPE_BYTES)
    told: list[str] = row.pop("warnings")
    return told


def _shorten_misses(row: _Row) -> bool:
    before = row.are_short
    for miss in row.listed[_MISSES:]:
        miss["citation"] = shorten(miss["citation"], _CITATION)  # mostly the whole list
        for name in _OF_MISS:
            row.are_short |= miss.pop(name, None) is not None
    return row.are_short and not before


def _drop_miss(row: _Row, least: int = _MISSES) -> bool:
    if len(row.listed) <= least:
        return False
    row.misses.append(row.listed.pop()["reason"])
    row.are_short &= len(row.listed) > _MISSES
    return True


def _drop_second(row: _Row) -> bool:
    """The text of the first unit where it stands for the second time."""
    if "content" not in row.fields.get("norms", [{}])[0]:
        return False
    row.fields["norms"][0] = _name(row.fields["norms"][0])
    return True


def _shorten_quote(row: _Row) -> bool:
    check: Fields = row.fields.get("quote_check", {})
    before = row.is_quote_short
    for name in ("matched_text", "omitted"):
        if len(check.get(name, "")) > _MATCH:
            check[name] = cut_middle(check[name], _MATCH)
            row.is_quote_short = True
    if beyond := check.get("differences", [])[_DIFFERENCES:]:
        check["differences"] = check["differences"][:_DIFFERENCES]
        check["differences_left_out"] = check.get("differences_left_out", 0) + len(beyond)
        row.is_quote_short = True
    return row.is_quote_short and not before


def _drop_name(row: _Row) -> bool:
    if not row.further or "content" in row.further[-1]:
        return False
    row.names.append(row.fields["norms"].pop()["citation"])
    return True


def _drop_details(row: _Row) -> bool:
    units = [row.fields.get("norm", {}), *row.further]
    for unit in reversed(units):
        shown = [unit.pop(name) for name in _OF_DETAILS if name in unit]
        if (proof := unit.get("provenance", {}).pop("proof", None)) or shown:
            row.details.append(unit["citation"])
            return bool(proof or shown)
    return False


def _drop_further_text(row: _Row) -> bool:
    for place in reversed(range(1, len(row.fields.get("norms", ())))):
        unit = row.fields["norms"][place]
        if "content" in unit:
            row.fields["norms"][place] = _name(unit)
            return True
    return False


def _shorten_echo(row: _Row) -> bool:
    """What was written: the caller has it."""
    written = row.fields.get("citation", "")
    again = row.fields.pop("normalised_from", None)
    if len(written) <= _CITATION and not again:
        return False
    row.fields["citation"] = shorten(written, _CITATION)
    return True


def _shorten_miss(row: _Row) -> bool:
    shown = [row.fields.pop(name, None) for name in (*_OF_MISS, "unparsed")]
    row.is_miss_short |= any(shown)
    return any(shown)


def _drop_text(row: _Row) -> bool:
    if "content" not in row.fields.get("norm", {}):
        return False
    row.fields["norm"] = _name(row.fields["norm"])
    row.fields.pop("next_offset", None)
    row.fields.pop("hint", None)
    return True


def _drop_corrections(row: _Row) -> bool:
    row.is_read_alone |= bool(dropped := row.fields.pop("corrections", None))
    return bool(dropped)


def _drop_warning(row: _Row) -> bool:
    if len(row.fields["warnings"]) <= _WARNINGS:
        return False
    row.fields["warnings"] = row.fields["warnings"][:-1]
    row.warnings += 1
    return True


_STEPS: Sequence[Callable[[_Row], bool]] = (
    _shorten_misses,
    _drop_miss,
    _drop_second,
    _shorten_quote,
    _drop_name,
    _drop_details,
    _shorten_echo,
    lambda row: _drop_miss(row, 0),
    _drop_further_text,
    _drop_name,
    _shorten_miss,
    _drop_text,
    _drop_corrections,
    _drop_warning,
)


def _name(unit: Fields) -> Fields:
    return {name: unit[name] for name in _NAMES if name in unit}


def _span(citations: Sequence[str]) -> str:
    """A run of citations by its ends."""
    first, last = (shorten(each, _CITATION) for each in (citations[0], citations[-1]))
    return first if len(citations) == 1 else f"{first} to {last} ({len(citations)} in all)"
