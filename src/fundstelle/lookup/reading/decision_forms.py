"""Whether a reference has the form of one to a decision, by its words alone.

Nothing of what is held is asked for, so that the same is said of a decision that is held and of one
that is not. What the grammar reads as a decision is one without this; courts write more than that.
"""

import re

from fundstelle.citations.decisions.courts import find_last_court

# ``de/vg-koeln/13-k-1189-20/2021-03-11/urteil``; of some only the collection's number is known.
_ID = re.compile(
    r"(?:legal://norm/)?(?:[a-z_]+/(?:unbekannt/[^\s/]+|[^\s/]+/[^\s/]+/[^\s/]+/[a-z-]+)|ecli:\S+)"
    r"(?:[.,;]?\s.*)?",
    re.IGNORECASE | re.DOTALL,
)
_ECLI = re.compile(r"\becli:", re.IGNORECASE)
# As ``Decision.citation`` has it: a word for what it is, and a day or a number.
_WORD = re.compile(
    r"\b(?:urteil|urt\.|beschlu(?:ss|ß)|beschl\.|gerichtsbescheid|bescheid|verfügung|gutachten"
    r"|schlussanträge|entscheidung)\w*.*(?:\d|unbekannten gerichts)",
    re.IGNORECASE | re.DOTALL,
)


def is_decision_id(written: str) -> bool:
    """Whether a text is formed as the ids of decisions are, with or without a Randnummer.

    ``de/demog/1`` is none: a law and a number are the id of a norm.
    """
    return _ID.fullmatch(written) is not None


def may_be_decision(written: str) -> bool:
    """Whether a text may cite a decision: by an id, an ECLI, a court, or the word for what it is.

    Of a text that was read as law it says nothing: "Entscheidung 2000/520/EG" has the form, too.
    """
    return (
        is_decision_id(written)
        or _ECLI.search(written) is not None
        or _WORD.search(written) is not None
        or find_last_court(written, 0, len(written), loose=True) is not None
    )
