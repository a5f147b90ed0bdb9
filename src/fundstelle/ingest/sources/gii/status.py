"""Whether a norm is in force, as the publisher marks it in title or text."""

import re

from fundstelle.law.norms import NormStatus

_GONE = (
    r"\(?(?:weggefallen|wegefallen|aufgehoben|gegenstandslos|entfällt|entfallen|gestrichen"
    r"|außer Kraft)\.?\)?"
)
_REPEALED = re.compile(_GONE, re.IGNORECASE)
_REPEALED_TITLE = re.compile(rf"(?:.*\S )?\((?:{_GONE})\)|{_GONE}", re.IGNORECASE)
_FUTURE = re.compile(r"\(?(?:zukünftig|künftig) in Kraft\.?\)?", re.IGNORECASE)
_DASHES = re.compile(r"[\s\-–—]+")


def read_status(title: str, text: str, *, is_range: bool) -> NormStatus:
    """Only a whole norm counts: ``(weggefallen)`` inside a list is text.

    A dash instead of text means repealed where no title says otherwise (``(Inkrafttreten)``,
    ``Änderung des …``: there it stands for words not reprinted). The same goes for a range of
    norms without title and text.
    """
    if _FUTURE.fullmatch(title) or _FUTURE.fullmatch(text):
        return NormStatus.FUTURE
    if _REPEALED.fullmatch(text):
        return NormStatus.REPEALED
    no_text = not text or _DASHES.fullmatch(text) is not None
    if no_text and _REPEALED_TITLE.fullmatch(title):
        return NormStatus.REPEALED
    titled = bool(title) and _DASHES.fullmatch(title) is None
    if no_text and not titled and (text or is_range):
        return NormStatus.REPEALED
    return NormStatus.IN_FORCE
