"""From drafts and the law they are bound to, to targets."""

from collections.abc import Sequence
from dataclasses import replace

from fundstelle.citations.drafts import Draft, Group, LawReference
from fundstelle.citations.norms.items import nest
from fundstelle.law.citations import EuCitation, NormCitation, PathStep, Target
from fundstelle.law.identifiers import drop_zeros
from fundstelle.law.norms import Level

_SIGNS = ("§", "Art")
_DIVIDED = "EinigVtr"  # "Anlage I Kapitel XIX" is a norm of it, and so is each Abschnitt
_DIVISIONS = (Level.KAPITEL, Level.ABSCHNITT)


def build_targets(group: Group, notes: list[str]) -> tuple[Target, ...]:
    """The targets of a group in the order of the text; ``notes`` gains what was corrected."""
    notes += group.law.notes if group.law is not None else ()
    drafts = [
        _drop_zeros(draft, notes, group.law) for draft in _nest_sections(group.drafts, group.law)
    ]
    return tuple(_build(draft, group.law, notes) for draft in drafts)


def build_law(law: LawReference) -> Target:
    """A law named without a provision."""
    if law.celex:
        return EuCitation(law.celex, law.name, version=law.version)
    return NormCitation(law.name, version=law.version)


def _build(draft: Draft, law: LawReference | None, notes: list[str]) -> Target:
    unit = _correct_unit(draft, law, notes)
    path = tuple(draft.path)
    if law is None:
        return NormCitation(
            None,
            unit,
            draft.number,
            draft.number_end,
            draft.follow,
            path,
            lettered=draft.lettered,
            repeats=draft.repeats,
        )
    if law.celex:
        return EuCitation(
            law.celex,
            law.name,
            "Anhang" if unit == "Anlage" else unit,
            draft.number,
            draft.number_end,
            draft.follow,
            _read_definition(draft, law, path),
            law.version,
            draft.lettered,
            draft.repeats,
        )
    number = draft.number
    if law.name == _DIVIDED and unit == "Anlage" and number:
        number, path = _read_divisions(number, path)
    return NormCitation(
        law.name,
        unit,
        number,
        draft.number_end,
        draft.follow,
        path,
        law.version,
        draft.lettered,
        draft.repeats,
    )


def _drop_zeros(draft: Draft, notes: list[str], law: LawReference | None) -> Draft:
    """``§ 0823``, ``Art. 229 § 05``: nothing is denied for the zeros in front.

    "Anhang Nr. 02" may be a part that is numbered so: whether it is, the law's text says.
    """
    if draft.unit == "Anlage" and not (law is not None and law.celex):
        return draft
    numbers = [draft.number, draft.number_end]
    path = [step if step.level != Level.SECTION else _drop_of(step) for step in draft.path]
    plain = [one and drop_zeros(one) for one in numbers]
    if plain == numbers and path == draft.path:
        return draft
    written = [*numbers, *(step.value for step in draft.path)]
    read = [*plain, *(step.value for step in path)]
    notes += [
        f"{one} was read as {other}"
        for one, other in zip(written, read, strict=True)
        if one != other
    ]
    return replace(draft, number=plain[0], number_end=plain[1], path=path)


def _drop_of(step: PathStep) -> PathStep:
    return replace(step, value=drop_zeros(step.value), to=step.to and drop_zeros(step.to))


def _nest_sections(drafts: Sequence[Draft], law: LawReference | None) -> Sequence[Draft]:
    """``Art. 229 § 5 und § 6``: a section behind one below an Artikel is below that Artikel too.

    Where the law has sections of its own ("Art. 229 § 5 und § 195 BGB") it is one of those.
    """
    if law is not None and (law.celex or law.unit == "§"):
        return drafts
    nested: list[Draft] = []
    for draft in drafts:
        above = nested[-1] if nested else None
        is_below = above is not None and above.unit == "Art" and _is_in_section(above)
        nested.append(nest(draft, above) if above and is_below and draft.unit == "§" else draft)
    return nested


def _is_in_section(draft: Draft) -> bool:
    return bool(draft.path) and draft.path[0].level == Level.SECTION


def _read_divisions(number: str, path: tuple[PathStep, ...]) -> tuple[str, tuple[PathStep, ...]]:
    """``Anlage II Kapitel IV Abschnitt III``: the number "II Kap IV III", nothing below it."""
    words = {Level.KAPITEL: f"{number} Kap", Level.ABSCHNITT: number}
    for level in _DIVISIONS:
        if path and path[0].level == level and not path[0].to and words[level].count("Kap"):
            number = f"{words[level]} {path[0].value}"
            words[Level.ABSCHNITT] = number
            path = path[1:]
    return number, path


def _correct_unit(draft: Draft, law: LawReference | None, notes: list[str]) -> str:
    """What the law itself calls its provisions: ``Art. 823 BGB`` is a section."""
    if law is None or law.unit is None or draft.unit not in _SIGNS or draft.unit == law.unit:
        return draft.unit
    if draft.unit == "Art" and _is_in_section(draft):
        return draft.unit  # a law of Artikel that hold sections: "Art. 1 § 1 RBerG"
    signs = {"§": "§", "Art": "Art."}
    notes.append(f"{law.name} has {signs[law.unit]}, not {signs[draft.unit]}")
    return law.unit


def _read_definition(
    draft: Draft, law: LawReference, path: tuple[PathStep, ...]
) -> tuple[PathStep, ...]:
    """``Art. 4(5) GDPR`` is a number: in an article of definitions brackets hold no Absatz."""
    if draft.bracketed and draft.number == law.definitions and path and path[0].level == "abs":
        return (replace(path[0], level="nr"), *path[1:])
    return path
