"""The contents of a law, as much of them as a page can be."""

from dataclasses import replace

from fundstelle.law.norms import Norm, NormKind
from fundstelle.portal.public.law import build_contents, list_below, walk_up
from tests.unit.corpus.values import make_norm


def make_law(books: int, titles: int, sections: int) -> list[Norm]:
    """Books with titles with sections, in the order of the law."""
    norms: list[Norm] = []

    def add(number: str, kind: NormKind, level: int, parent: str | None) -> str:
        made = make_norm(number)
        made = replace(made, position=len(norms), kind=kind, level=level, parent_id=parent)
        norms.append(made)
        return made.norm_id

    count = 0
    for book in range(books):
        above = add(f"b{book}", NormKind.HEADING, 1, None)
        for title in range(titles):
            inner = add(f"b{book}t{title}", NormKind.HEADING, 2, above)
            for _ in range(sections):
                count += 1
                add(str(count), NormKind.SECTION, 3, inner)
    return norms


def test_a_short_law_shows_all_of_it() -> None:
    norms = make_law(2, 3, 5)
    found = build_contents(norms, 1, entire=False)
    assert [row.norm for row in found.rows] == norms
    assert not found.is_folded


def test_a_long_law_shows_its_headings_with_what_they_hold() -> None:
    norms = make_law(5, 10, 20)
    found = build_contents(norms, 1, entire=False)
    assert found.is_folded
    assert all(row.norm.kind is NormKind.HEADING for row in found.rows)
    assert len(found.rows) == 55
    held = found.rows[1].within
    assert held is not None
    assert [one.number for one in held] == ["1", "20"]
    assert found.rows[0].within is None, "its titles show theirs"
    assert len(build_contents(norms, 1, entire=True).rows) == len(norms)


def test_a_long_law_without_headings_comes_in_pages() -> None:
    norms = [replace(make_norm(str(n)), level=1, position=n) for n in range(1, 451)]
    pages = [build_contents(norms, page, entire=False) for page in (1, 2, 3)]
    assert [row.norm for page in pages for row in page.rows] == norms
    assert {page.pages for page in pages} == {3}
    assert build_contents(norms, 99, entire=False).page == 3


def test_recitals_stand_apart() -> None:
    recital = replace(make_norm("r1"), kind=NormKind.RECITAL)
    found = build_contents([recital, make_norm("1")], 1, entire=False)
    assert list(found.recitals) == [recital]
    assert [row.norm.number for row in found.rows] == ["1"]


def test_what_stands_below_a_heading_ends_with_the_next_of_its_level() -> None:
    norms = make_law(2, 2, 2)
    heading = norms[1]
    assert [one.number for one in list_below(norms, heading)] == ["1", "2"]
    by_id = {one.norm_id: one for one in norms}
    trail = walk_up(norms[2], by_id.get)
    assert [one.number for one in trail] == ["b0", "b0t0", "1"]
