"""Words before a citation that name another text of the law make it unclear."""

import pytest

from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import Verdict
from tests.unit.lookup.invented import TODAY, build_library

LIBRARY = build_library()


def ask(text: str) -> Verdict:
    (place,) = check_draft(LIBRARY, text, TODAY).judged
    return place.verdict


@pytest.mark.parametrize(
    "before",
    [
        *("Der bis zum 31. Dezember 2001 geltende ", "Nach der bis 2001 geltenden Fassung des "),
        *("nach dem damaligen ", "die frühere Regelung des ", "nach altem ", "der geplante "),
        *("under former ", "The old ", "under the then applicable ", "the repealed "),
        *("der inzwischen aufgehobene ", "in der alten Fassung von ", "nach dem bisherigen "),
        *("nach dem vom 1.1.2001 bis 31.12.2001\ngültigen ", "nach dem im Jahr 2001 geltenden "),
    ],
)
@pytest.mark.parametrize("citation", ["§ 4 MusterG", "§ 99 MusterG"])
def test_another_text_that_is_named_before_is_not_judged(before: str, citation: str) -> None:
    found = ask(f"{before}{citation} gilt.")

    assert found.verdict == "unclear"
    assert found.why.startswith("Not read: what stands before it, “")


@pytest.mark.parametrize(
    "before",
    [
        *("in der jeweils geltenden Fassung des ", "nach dem seit 2002 geltenden ", "Früher galt "),
        *("nach dem heute geltenden ", "Das alte Gesetz. ", "wie früher nach ", "Am 1.1.2001 war "),
        *("Die alte Säge hat nach ", "In der alten Säge. Nach "),
    ],
)
def test_what_names_none_leaves_it_as_it_is(before: str) -> None:
    assert ask(f"{before}§ 4 MusterG gilt.").verdict == "ok"
    assert ask(f"{before}§ 99 MusterG gilt.").verdict == "wrong"


@pytest.mark.parametrize(
    "behind",
    [" lautete bis 2001 anders", " galt damals nicht", " sah bis zum 31.12.2001 anderes vor"],
)
def test_a_text_that_is_said_to_have_lapsed_is_not_judged(behind: str) -> None:
    assert ask(f"§ 4 MusterG{behind}.").verdict == "unclear"


def test_a_part_that_another_edition_may_have_is_not_denied() -> None:
    assert ask("§ 4 Abs. 9 MusterG (bis 28.4.2001)").verdict == "unclear"
    assert ask("§ 4 Abs. 9 MusterG gilt.").verdict == "wrong"
