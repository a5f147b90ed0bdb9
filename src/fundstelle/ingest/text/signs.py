"""What markup stands for in a line: raised characters, pictures, and words of another file."""

import re

_SUPERSCRIPTS = str.maketrans("0123456789+-−–()=n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾⁼ⁿ")
_RAISED = re.compile(r"[0-9+\-−–()=n]+")
UNREAD = "[Text nicht gelesen]"
"""What stands for words that are in another file, and were not read."""

_MARKS = re.compile(rf"\[Abbildung(?:: [^\]]*)?\]|{re.escape(UNREAD)}")


def raise_characters(text: str) -> str:
    """What is printed raised: digits, signs and brackets as such, so that 10 to the 6th is ``10⁶``.

    Other letters stay as they are.
    """
    return text.translate(_SUPERSCRIPTS) if _RAISED.fullmatch(text.strip()) else text


def mark_picture(words: str = "") -> str:
    """What stands for a picture, which is not in the text; ``words`` say what it shows."""
    return f"[Abbildung: {words}]" if words else "[Abbildung]"


def is_mark(line: str) -> bool:
    """Whether a line is one picture, or what was not read, and nothing else."""
    return _MARKS.fullmatch(line) is not None
