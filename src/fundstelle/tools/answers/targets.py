"""What was understood of a citation, as the tools show it."""

from typing import Any

from fundstelle.law.citations import EuCitation, NormCitation, Target
from fundstelle.lookup.units import format_steps
from fundstelle.tools.answers import schema as s


def describe_target(target: Target) -> dict[str, Any]:
    """What was understood."""
    if not isinstance(target, NormCitation | EuCitation):
        fields = {name: getattr(target, name) for name in target.__slots__}
        return {name: value for name, value in fields.items() if value}
    shown: dict[str, Any] = {
        "law": target.law,
        "celex": getattr(target, "celex", None),
        "unit": target.unit,
        "number": target.number,
        "number_end": target.number_end,
        "follow": target.follow,
        "path": format_steps(target.path) or None,
        "version": target.version,
    }
    return {name: value for name, value in shown.items() if value is not None}


def target_properties() -> dict[str, s.Schema]:
    """The properties of a target for output schemas."""
    return {
        "law": s.text("Law as understood."),
        "unit": s.text("§, Art, Anlage …"),
        "number": s.text("Number of the section."),
        "path": s.text("Part below the section."),
    }
