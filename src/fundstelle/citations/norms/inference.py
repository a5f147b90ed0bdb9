"""Bare citations: bound to the statute whose text it is, or to the last law of the paragraph."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fundstelle.citations.laws.between import is_of_other
from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.norms.onward import is_law_behind
from fundstelle.citations.norms.scan import Hit
from fundstelle.law.citations import EuCitation, NormCitation, Target

_AGREED = (  # what has sections and is no law
    r"(?:vertrag(?:e?s)?|verträge|satzung|vereinbarung|bedingungen|geschäftsordnung|statuts?|police"
    r"|teilungserklärung|gemeinschaftsordnung|hausordnung|testaments?|urkunde)"
)
_OF_AGREED = re.compile(
    r"(?:\s(?:Abs\.|Satz|S\.|Nr\.)\s?\d+)*\s*(?:de[rs]|diese[rs]|eine[rs]|[sm]eine[rs]|ihre[rs]|unsere[rs])\s"
    rf"(?:[\w.-]+\s){{0,3}}?(?i:[\w-]*{_AGREED})(?![^\W_])"
)
_IN_AGREED = re.compile(
    rf"(?i:[\w-]*{_AGREED})(?<!edingungen)(?:\s(?:de[rsmn]|vom|zwischen|über)\s[\w.-]+(?:\s[\w.-]+)?){{0,2}}"
    r"(?:\s(?:hat|ist|sieht|regelt|bestimmt))?,?\s(?:in|unter|nach|gemäß|gem\.)\s$"
)
_LEADS_IN = ("in", "unter", "nach", "gemäß", "gem.")  # what the last ends with
_OWN_PARAGRAPH = re.compile(r"paragraphs?\s(?!.*rticle)")  # of the decision itself, in English
_OF_NAME = re.compile(r"-[A-ZÄÖÜ]")  # "SGBXII-§ 82-DV"
_REACH = 120


def infer(
    text: str, hits: Iterable[Hit], names: LawNames, law: str | None
) -> Iterator[tuple[Hit, bool]]:
    """The hits, the bare ones with a law where the context gives one; whether it did.

    None is given to what has a law named right behind it that was not read with it (``apart``).
    """
    laws = LawReader(text, names)
    own = _find_own(names, law) if law else None
    last: Target | None = None
    last_end = 0
    for hit in hits:
        if not hit.bare:
            last, last_end = hit.targets[-1], hit.end
            yield hit, False
            continue
        if law is None and _means_no_law(text, hit):
            continue
        context = own
        if law is None and last is not None and "\n" not in text[last_end : hit.start]:
            context = _get_law(last, names)
        bound = _bind(hit.targets, context)
        is_apart = hit.law is None and (
            hit.apart
            or is_of_other(text, hit.end)
            or is_law_behind(text, hit.start, hit.end, laws, annex=_is_annex(hit))
        )
        if is_apart and (hit.apart or bound is not None or not is_weak(hit.targets)):
            yield hit._replace(apart=True), False
        elif bound is not None:
            yield hit._replace(targets=bound), True
        elif not is_weak(hit.targets):
            yield hit, False


def _is_annex(hit: Hit) -> bool:
    last = hit.targets[-1]
    return isinstance(last, NormCitation) and last.unit == "Anlage"


def _means_no_law(text: str, hit: Hit) -> bool:
    """Whether the words around a bare citation say that a contract or the text itself is meant."""
    if _OWN_PARAGRAPH.match(text, hit.start, hit.end) or _OF_NAME.match(text, hit.end):
        return True
    if _OF_AGREED.match(text, hit.end, hit.end + _REACH):
        return True
    first = max(0, hit.start - _REACH)
    if not text[first : hit.start].rstrip().endswith(_LEADS_IN):
        return False  # of nearly all, and the words around are not read from each of their letters
    return _IN_AGREED.search(text, first, hit.start) is not None


def _find_own(names: LawNames, law: str) -> LawName:
    found = names.find(law)
    exact = [name for name in found if name.abbreviation == law]
    return exact[0] if exact else LawName(law)


def _get_law(target: Target, names: LawNames) -> LawName | None:
    if isinstance(target, NormCitation) and target.law:
        found = names.find(target.law)
        return found[0] if found else LawName(target.law, target.unit)
    if isinstance(target, EuCitation):
        return LawName(target.law or target.celex, "Art", celex=target.celex)
    return None


def _bind(targets: tuple[Target, ...], law: LawName | None) -> tuple[Target, ...] | None:
    """The targets bound to ``law``; ``None`` if its provisions go by another sign."""
    if law is None:
        return None
    bound: list[Target] = []
    for target in targets:
        if not isinstance(target, NormCitation):
            return None
        if target.unit in {"§", "Art"} and law.unit not in {None, target.unit}:
            return None
        if law.celex:
            bound.append(
                EuCitation(
                    law.celex,
                    law.abbreviation,
                    target.unit,
                    target.number,
                    target.number_end,
                    target.follow,
                    target.path,
                    lettered=target.lettered,
                    repeats=target.repeats,
                )
            )
        else:
            bound.append(replace(target, law=law.abbreviation))
    return tuple(bound)


def is_weak(targets: tuple[Target, ...]) -> bool:
    """Whether all are a bare "Artikel 15" or "Anlage K": as likely goods in a basket."""
    return all(
        isinstance(target, NormCitation) and target.unit != "§" and not target.path
        for target in targets
    )
