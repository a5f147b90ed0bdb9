"""What is taken for a table of contents of the official site."""

from fundstelle.ingest.history.contents import is_table_of_contents

ITEM = b"<item><title>Muster</title><link>http://example.org/musterg/xml.zip</link></item>"


def test_a_table_names_laws_and_is_whole() -> None:
    assert is_table_of_contents(b"<items>" + ITEM + b"</items>")
    assert not is_table_of_contents(b"<items>" + ITEM)
    assert not is_table_of_contents(b"<items></items>")


def test_one_of_marks_without_end_is_none_and_is_not_read() -> None:
    marks = b"x<a/>" * 1_000_001
    assert not is_table_of_contents(b"<items>" + ITEM + marks + b"</items>")


def test_a_table_of_contents_with_entities_of_its_own_is_refused() -> None:
    """What they stand for would be missing from the titles of laws."""
    named = b"<items>" + ITEM + b"</items>"
    assert is_table_of_contents(b"<!DOCTYPE items>" + named)
    declared = b'<!DOCTYPE items [<!ENTITY a "b">]>'
    assert not is_table_of_contents(declared + named)
    away = b'<!DOCTYPE items SYSTEM "items.dtd">'
    assert not is_table_of_contents(away + b"<items>" + ITEM + b"<title>&a;</title></items>")
