"""Names that people choose for themselves, keys and clients, and what none of them may be.

A name stands in lists beside ids and may be typed where an id is. So it must not look like an id,
must not be a credential that was pasted by mistake, and must show all that it holds.
"""

import re
import unicodedata

from fundstelle.accounts.keys.format import PREFIX
from fundstelle.errors import InvalidArgument

NAME_CHARS = 100

_MOST_TIDIED = 800  # to put marks in order takes a time that grows with their square

# What this server calls things, and what it gives out: keys (with their display form) and the 43
# characters of every other secret (``secrets.create_secret``).
_ID = re.compile(r"(?:key|usr|ses|grant|client)_[0-9a-z]{16,}")
_SECRET = re.compile(r"[0-9a-z_-]{43}")
# Letters and marks that show nothing (Default_Ignorable_Code_Point of Unicode, as far as
# ``str.isprintable`` lets it through; without the variation selectors of emoji), and the empty
# Braille pattern.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]")
_SPACES = re.compile(" {2,}")


def tidy_name(text: str) -> str:
    """The name in the one form in which it is kept: single spaces, composed letters (NFC).

    Of a text that is far too long for a name only so much is given that it still is.
    """
    return unicodedata.normalize("NFC", _SPACES.sub(" ", text.strip())[:_MOST_TIDIED])


def is_name(text: str) -> bool:
    """Whether a tidy text may be a name."""
    if not 0 < len(text) <= NAME_CHARS or not text.isprintable() or _INVISIBLE.search(text):
        return False
    seen = unicodedata.normalize("NFKC", text).casefold().strip()
    return not (PREFIX in seen or _ID.fullmatch(seen) or _SECRET.fullmatch(seen))


def check_name(text: str, example: str, field: str = "name") -> str:
    """The tidy name.

    Raises:
        InvalidArgument: it is empty or too long, holds what cannot be seen, or looks like an id or
            a credential.
    """
    name = tidy_name(text)
    if not is_name(name):
        raise InvalidArgument(
            f"a name has 1 to {NAME_CHARS} printable characters and does not look like an id or a"
            " key",
            field=field,
            example=example,
        )
    return name
