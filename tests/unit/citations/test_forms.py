"""Ways of writing a citation, labelled before the parser had read them."""

from pathlib import Path

import pytest

from fundstelle.citations.format import format_citation
from fundstelle.citations.parse import parse

FILE = Path(__file__).parents[2] / "golden" / "citations" / "forms.tsv"
CASES = [
    line.split("\t")
    for line in FILE.read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_form_reads_as_the_usual_one_and_says_what_it_does_not_read(case: list[str]) -> None:
    written, citations, unread = case
    parsed = parse(written)
    assert "|".join(map(format_citation, parsed.targets)) == citations
    assert "|".join(parsed.unparsed) == unread
