"""Targets as JSON, in the schema of the citation gold set."""

from typing import Any

from fundstelle.citations.laws.versions import AS_OF, UNTIL
from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    GazetteCitation,
    MaterialCitation,
    NormCitation,
    PathStep,
    ReporterCitation,
    Target,
)
from fundstelle.law.courts import EU_COURTS


def write_target(target: Target) -> dict[str, Any]:
    """One target as a JSON object with the fields of its ``type``."""
    if isinstance(target, NormCitation):
        return {"type": "norm", "law": target.law, **_write_place(target)}
    if isinstance(target, EuCitation):
        place = _write_place(target)
        return {"type": "eu_act", "celex": target.celex, "law": target.law, **place}
    if isinstance(target, DecisionCitation):
        return _write_decision(target)
    if isinstance(target, ReporterCitation):
        return _write_reporter(target)
    if isinstance(target, MaterialCitation):
        return {"type": "material", "kind": target.kind, "num": target.number}
    return _write_gazette(target)


def _write_place(target: NormCitation | EuCitation) -> dict[str, Any]:
    return {
        "unit": target.unit,
        "num": target.number,
        "num_end": target.number_end,
        "follow": target.follow,
        "path": [_write_step(step) for step in target.path],
        "version": target.version and target.version.replace(UNTIL, AS_OF),
    }


def _write_step(step: PathStep) -> list[str]:
    return [step.level, step.value] if step.to is None else [step.level, step.value, step.to]


def _write_decision(target: DecisionCitation) -> dict[str, Any]:
    if target.court in EU_COURTS:
        return {
            "type": "eu_case",
            "case": target.docket,
            "date": target.issued_on,
            "ecli": target.ecli,
        }
    if target.court == "EGMR":
        return {
            "type": "echr_case",
            "application": target.docket,
            "date": target.issued_on,
        }
    return {
        "type": "decision",
        "court": target.court,
        "docket": target.docket,
        "date": target.issued_on,
        "ecli": target.ecli,
    }


def _write_reporter(target: ReporterCitation) -> dict[str, Any]:
    return {
        "type": "reporter",
        "reporter": target.reporter,
        "volume": target.volume,
        "page": target.page,
        "court": target.court,
    }


def _write_gazette(target: GazetteCitation) -> dict[str, Any]:
    name = f"{target.gazette} {target.part}" if target.part else target.gazette
    return {"type": "gazette", "gazette": name, "year": target.year, "page": target.page}
