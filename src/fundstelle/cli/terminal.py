"""Words for a reader at the terminal, with nothing in them that steers it.

Names of files, laws and people come from elsewhere, and what a library says of them does too.
"""

import unicodedata

import click

_STEERING = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_LAYOUT = frozenset("\n\t")


def escape(text: str) -> str:
    """The same with what nobody would see written out: an escape as a backslash and its number."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape_character, text))


def say(text: object, *, err: bool = False) -> None:
    """Print a line, escaped."""
    click.echo(escape(str(text)), err=err)


def _escape_character(each: str) -> str:
    if each in _LAYOUT or unicodedata.category(each) not in _STEERING:
        return each
    return each.encode("unicode_escape").decode()
