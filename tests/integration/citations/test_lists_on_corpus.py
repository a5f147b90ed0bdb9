"""All of federal law: a list of provisions that there are answers these, or names them beside."""

import random
import re
from collections import defaultdict
from datetime import date

import pytest

from fundstelle.law.norms import Norm, NormKind
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, get_steps
from fundstelle.lookup.resolve import resolve
from tests.integration.citations.test_every_citation_resolves import list_sections

TODAY = date(2025, 4, 1)
SAMPLE = 4_000
# behind "Art." a number behind a Nummer counts Nummern
LEVELS = {
    NormKind.SECTION: frozenset({"abs", "satz", "nr"}),
    NormKind.ARTICLE: frozenset({"abs", "satz"}),
}

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def sections(whole: Library) -> list[Norm]:
    """Every § and Artikel in force that stands for itself alone, in the order of the build."""
    return list_sections(whole)


def list_found(library: Library, written: str) -> list[str]:
    """The ids of what a list comes to, a miss by its status."""
    outcomes = resolve(library, written, TODAY).outcomes
    return [
        one.norm.norm_id if isinstance(one, ProvisionHit) else getattr(one, "status", "law")
        for one in outcomes
    ]


def test_a_section_with_the_letter_f_is_one_in_any_list(
    whole: Library, sections: list[Norm]
) -> None:
    held = {norm.norm_id: norm for norm in sections}
    wrong, tried = [], 0
    for norm_id, norm in held.items():
        before = held.get(f"{norm_id[:-1]}e")
        if not norm_id.endswith("f") or before is None or not norm.citation.startswith("§ "):
            continue
        law = whole.store.statutes[norm.statute_id].abbreviation
        if list_found(whole, norm.citation) != [norm_id]:
            continue  # it was not there on the day
        for written in (f"§§ {before.number}, {norm.number} {law}", f"§§ {norm.number} {law}"):
            tried += 1
            if norm_id not in list_found(whole, written):
                wrong.append(written)
    assert tried > 500
    assert wrong == []


def draw_lists(library: Library, sections: list[Norm]) -> list[tuple[str, list[str]]]:
    """Lists of two to four provisions of one law, some with an Absatz or Satz; what each names."""
    by_law = defaultdict(list)
    for norm in sections:
        if re.fullmatch(r"\d{1,4}[a-z]?", norm.number):
            by_law[norm.statute_id, norm.kind].append(norm)
    laws = [norms for norms in by_law.values() if len(norms) > 3]
    drawn = random.Random(20261127)
    lists: list[tuple[str, list[str]]] = []
    while len(lists) < SAMPLE:
        norms = drawn.sample(drawn.choice(laws), drawn.randint(2, 4))
        # behind one "Art." numbers rise: what falls counts parts, and is denied where there is none
        if norms[0].kind is NormKind.ARTICLE or drawn.random() < 0.5:
            norms.sort(key=lambda norm: norm.position)
        law = library.store.statutes[norms[0].statute_id].abbreviation
        parts, wanted = [], []
        for norm in norms:
            sign, _, rest = norm.citation.removesuffix(f" {law}").partition(" ")
            path = draw_path(library, norm, drawn, LEVELS[norm.kind])
            parts.append(f"{rest} {path}".strip())
            wanted.append(" ".join(filter(None, (sign, rest, path, law))))
        if all(is_answered(library, one) for one in wanted):
            head = "§§" if wanted[0].startswith("§") else "Art."
            lists.append((f"{head} {', '.join(parts)} {law}", wanted))
    return lists


def draw_path(library: Library, norm: Norm, drawn: random.Random, levels: frozenset[str]) -> str:
    fassung = library.store.find_fassung(norm.norm_id, TODAY)
    parts = range(len(fassung.segments)) if fassung is not None and drawn.random() < 0.6 else ()
    paths = [get_steps(fassung.segments, part) for part in parts] if fassung else []
    short = [path for path in paths if len(path) < 3 and path[-1].level in levels]
    return format_steps(drawn.choice(short)) if short else ""


def is_answered(library: Library, citation: str) -> bool:
    """Whether it is found alone, by the name that it is written with."""
    [first, *others] = resolve(library, citation, TODAY).outcomes
    return isinstance(first, ProvisionHit) and not others and first.citation == citation


def test_a_list_of_what_there_is_answers_it_or_names_it_beside(
    whole: Library, sections: list[Norm]
) -> None:
    lists = draw_lists(whole, sections)
    wrong = []
    for written, wanted in lists:
        found = resolve(whole, written, TODAY)
        if any(miss.status == "repealed" for miss in found.misses):
            continue  # an Absatz that there was
        named = {hit.citation for hit in found.hits}
        unclear = (miss for miss in found.misses if miss.status == "ambiguous")
        named |= {one.citation for miss in unclear for one in miss.suggestions}
        for hit in found.hits:
            if isinstance(hit, ProvisionHit):
                named |= {place.citation for place in hit.alternatives}
        if not named.issuperset(wanted):
            wrong.append((written, sorted(set(wanted) - named)))
    assert wrong == []
