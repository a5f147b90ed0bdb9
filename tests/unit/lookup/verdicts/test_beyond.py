"""Words quoted from a range that is longer than what one answer reads."""

import pytest

from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.tools.answers.quotes import check_alone
from tests.unit.lookup.invented import TODAY, build_library

LIBRARY = build_library(many=30)
LISTED = ", ".join(str(number) for number in range(201, 231))


@pytest.mark.parametrize("cited", ["§§ 201 bis 230 MusterG", f"§§ {LISTED} MusterG"])
def test_words_of_what_was_not_read_are_not_said_to_be_misquoted(cited: str) -> None:
    resolution = resolve(LIBRARY, cited, TODAY)
    for words in ("Leim Nummer 25 ist zäh", "Leim Nummer 25 ist flüssig"):
        verdict = judge(LIBRARY, resolution, [words])
        assert (verdict.verdict, verdict.correct, verdict.is_bad) == ("ok", None, False)
        assert verdict.check is not None
        assert verdict.check.status == "no_text"
        assert "not in the first 20" in verdict.why
        warnings: list[str] = []
        assert check_alone(LIBRARY, words, resolution, warnings)["status"] == "no_text"
        assert any("not in the first 20" in each for each in warnings)
    [judged] = check_draft(LIBRARY, f"Nach {cited} ist „Leim Nummer 25 ist zäh“.", TODAY).judged
    assert not judged.verdict.is_bad


def test_what_was_read_is_compared_as_ever() -> None:
    long = resolve(LIBRARY, "§§ 201 bis 230 MusterG", TODAY)
    read = judge(LIBRARY, long, ["Leim Nummer 5 ist zäh"])
    assert read.check is not None
    assert (read.check.status, read.why) == ("verbatim", "")
    short = resolve(LIBRARY, "§§ 201 bis 210 MusterG", TODAY)
    altered = judge(LIBRARY, short, ["Leim Nummer 5 ist flüssig"])
    assert altered.is_bad
