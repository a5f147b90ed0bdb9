"""Citations in the form German lawyers write: ``§ 312g Abs. 2 Satz 1 Nr. 1 BGB``."""

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
    split_ends,
)

_WORDS = {
    "§": "§",
    "abs": "Abs.",
    "uabs": "UAbs.",
    "satz": "Satz",
    "hs": "Halbsatz",
    "nr": "Nr.",
    "buchst": "Buchst.",
    "dbuchst": "Doppelbuchst.",
    "tbuchst": "Dreifachbuchst.",
    "alt": "Alt.",
    "var": "Var.",
    "fall": "Fall",
    "spiegelstrich": "Spiegelstrich",
    "teil": "Teil",
    "abschnitt": "Abschnitt",
    "kapitel": "Kapitel",
    "spalte": "Spalte",
    "kategorie": "Kategorie",
}
_LAST = {"last": "letzter", "penultimate": "vorletzter"}
_UNITS = {"Art": "Art.", "Erwg": "Erwägungsgrund"}


def format_citation(target: Target) -> str:
    """The canonical German form; ``parse`` reads it back as the same target."""
    if isinstance(target, NormCitation | EuCitation):
        return _format_norm(target)
    if isinstance(target, DecisionCitation):
        return _format_decision(target)
    if isinstance(target, ReporterCitation):
        return _format_reporter(target)
    if isinstance(target, MaterialCitation):
        return f"{target.kind} {target.number}"
    return _format_gazette(target)


def format_path(path: tuple[PathStep, ...]) -> str:
    """The part below the section: ``Abs. 2 Satz 1 Nr. 1``."""
    return " ".join(map(_format_step, path))


def _format_step(step: PathStep) -> str:
    word = _WORDS[step.level]
    if step.value in _LAST:
        return f"{_LAST[step.value]} {word}"
    if step.to is None:
        return f"{word} {step.value}"
    joint = f" {step.to}." if step.follows else f" bis {step.to}"
    return f"{word} {step.value}{joint}"


def _format_norm(target: NormCitation | EuCitation) -> str:
    law = _format_law(target)
    if target.unit is None:
        return law
    unit = _UNITS.get(target.unit, target.unit)
    start, path = split_ends(target.path) if target.number_end else ((), target.path)
    many = (target.number_end and not start) or target.follow
    if many and target.unit == "§":
        unit = "§§"
    number = target.number or ""
    if start:
        number += f" {format_path(start)} bis {unit} {target.number_end}"
    elif target.number_end:
        number += f" bis {target.number_end}"
    elif target.follow:
        number += f" {target.follow}."
    parts = (unit, number, format_path(path), law)
    return " ".join(part for part in parts if part)


def _format_law(target: NormCitation | EuCitation) -> str:
    name = target.law or ""
    if isinstance(target, EuCitation) and not target.law:
        name = f"CELEX {target.celex}"
    version = target.version
    if not version:
        return name
    if version in {"aF", "nF"}:
        return f"{name} {version[0]}. F."
    if version.startswith((AS_OF, UNTIL)):
        year, month, day = version.partition(":")[2].split("-")
        word = "am" if version.startswith(AS_OF) else "bis zum"
        return f"{name} in der {word} {day}.{month}.{year} geltenden Fassung"
    return f"{name} {version}"


def _format_decision(target: DecisionCitation) -> str:
    parts = [target.court or ""]
    if target.issued_on:
        year, month, day = target.issued_on.split("-")
        parts.append(f"vom {day}.{month}.{year}")
        if target.docket:
            parts.append("-")
    parts += [target.docket or "", target.ecli or ""]
    return " ".join(part for part in parts if part)


def _format_gazette(target: GazetteCitation) -> str:
    parts = [target.gazette, target.part, target.year]
    if target.page:
        parts.append(target.page if target.page.startswith("Nr.") else f"S. {target.page}")
    return " ".join(part for part in parts if part)


def _format_reporter(target: ReporterCitation) -> str:
    court = f"{target.court} " if target.court else ""
    if "§" in target.volume:
        return f"{court}{target.reporter} {target.volume} Nr. {target.page}"
    return f"{court}{target.reporter} {target.volume}, {target.page}"
