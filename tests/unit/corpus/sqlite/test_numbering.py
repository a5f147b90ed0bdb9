from fundstelle.corpus.rows import sort_key
from fundstelle.corpus.sqlite.numbering import build_numbering
from fundstelle.law.norms import NormKind


def test_sections_below_articles_are_found_by_their_own_number() -> None:
    numbers = ["230/1", "229/5", "229/1", "229", "5"]
    kinds = [NormKind.ARTICLE if number == "229" else NormKind.SECTION for number in numbers]
    rows = [
        (kind, number, sort_key(number), 10 - place)
        for place, (kind, number) in enumerate(zip(kinds, numbers, strict=True))
    ]
    assert build_numbering(rows).nested == {"1": [8, 10], "5": [9]}
