"""What annexes without a number of their own are called."""

import pytest

from fundstelle.ingest.sources.eu.act import Unit, name_annex, settle_annexes
from fundstelle.law.norms import NormKind


def settle(*labels: str) -> list[tuple[str, str]]:
    units = [Unit(NormKind.ANNEX, _name(label), label) for label in labels]
    return [(unit.number, unit.cited) for unit in settle_annexes(units)]


def _name(label: str) -> str:
    if label.startswith("PROTOCOL"):
        return f"protocol_{label.rsplit(maxsplit=1)[-1].strip(')')}"
    return name_annex(label) or ""


@pytest.mark.parametrize(
    ("labels", "number", "cited"),
    [
        (("ANNEX I", "ANNEX II"), "annex_ii", ""),
        (("ANNEX",), "annex", ""),
        (
            ("ANNEX I", "Appendix A"),
            "supplement_annex-i-appendix-a",
            "ANNEX I, Appendix A",
        ),
        (
            ("PROTOCOL (No 3)", "PROTOCOL (No 22)", "ANNEX"),
            "supplement_protocol-no-22-annex",
            "PROTOCOL (No 22), ANNEX",
        ),
        (("ANNEX V", "Commission statements"), "supplement_commission-statements", None),
        (("Statement", "Statement"), "supplement_statement-2", "Statement (2)"),
        (("ANNEX", "‘ANNEX IV"), "supplement_annex-iv", "‘ANNEX IV"),
    ],
)
def test_nobody_is_cited_by_a_number_that_we_gave(
    labels: tuple[str, ...], number: str, cited: str | None
) -> None:
    last = settle(*labels)[-1]
    assert last == (number, labels[-1] if cited is None else cited)


def test_the_same_appendix_of_two_annexes_is_told_apart() -> None:
    named = settle("ANNEX I", "Appendix A", "ANNEX II", "Appendix A")
    assert len({number for number, _ in named}) == 4
    assert [cited for _, cited in named if cited] == [
        "ANNEX I, Appendix A",
        "ANNEX II, Appendix A",
    ]
