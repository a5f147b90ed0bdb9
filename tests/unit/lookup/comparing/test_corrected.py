"""A quote of either wording says which it is."""

from dataclasses import replace

import pytest

from fundstelle.law.corrigenda import find_difference, format_correction, read_correction
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.comparing.corrected import say_which_wording
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import STAND, build_library

OLD = "Das Recht gemäß Absatz 1b darf niemandem schaden."
NEW = "Das Recht gemäß Absatz 3 darf niemandem schaden."


def say(quote: str) -> list[str]:
    (hit,) = resolve(build_library(), "§ 4 MusterG", STAND).hits
    assert isinstance(hit, ProvisionHit)
    note = format_correction("32019R0005R(01)", "ABl. L 3, 2019, S. 8", "Artikel 4", OLD, NEW)
    noted = replace(hit, fassung=replace(hit.fassung, notes=("Anderes.", note)))
    return list(say_which_wording([noted], quote))


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("gemäß Absatz 1b darf", "before the corrigendum 32019R0005R(01)"),
        ("Das Recht gemäß Absatz 1b", "must read: gemäß Absatz 3"),
        (NEW, "as corrected by 32019R0005R(01)"),
    ],
)
def test_a_quote_of_either_wording_says_which_it_is(quote: str, said: str) -> None:
    (sentence,) = say(quote)

    assert said in sentence


@pytest.mark.parametrize("quote", ["niemandem schaden", "Absatz 1", "Absatz 31b darf"])
def test_a_quote_of_what_is_the_same_says_nothing(quote: str) -> None:
    assert say(quote) == []


@pytest.mark.parametrize(
    ("old", "new", "pair"),
    [
        ("a b c d e", "a b x d e", ("a b c", "a b x")),
        ("a b d e", "a b c d e", ("a b d", "a b c d")),
        ("c", "x", ("c", "x")),
    ],
)
def test_the_difference_has_words_around_it(old: str, new: str, pair: tuple[str, str]) -> None:
    correction = read_correction(format_correction("R", None, "Artikel 1", old, new))

    assert correction is not None
    assert find_difference(correction) == pair
