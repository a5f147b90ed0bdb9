"""What markup stands for in a line: raised characters, and pictures."""

import re

_SUPERSCRIPTS = str.maketrans("0123456789+-−–()=n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾⁼ⁿ")
_RAISED = re.compile(r"[0-9+\-−–()=n]+")
_PICTURES = re.compile(r"\[Abbildung(?:: [^\]]*)?\]")


def raise_characters(text: str) -> str:
    """What is printed raised: digits, signs and brackets as such, so that 10 to the 6th is ``10⁶``.

    Other letters stay as they are.
    """
    return text.translate(_SUPERSCRIPTS) if _RAISED.fullmatch(text.strip()) else text


def mark_picture(words: str = "") -> str:
    """What stands for a picture, which is not in the text; ``words`` say what it shows."""
    return f"[Abbildung: {words}]" if words else "[Abbildung]"


def is_picture(line: str) -> bool:
    """Whether a line is one picture and nothing else."""
    return _PICTURES.fullmatch(line) is not None
