import pytest

from fundstelle.citations.text.numerals import format_roman, read_roman


@pytest.mark.parametrize("number", range(1, 40))
def test_roman_numbers_are_read_as_they_are_written(number: int) -> None:
    assert read_roman(format_roman(number)) == number
