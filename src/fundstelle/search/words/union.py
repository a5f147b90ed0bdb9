"""Whether a question says itself that law of the Union is meant."""

import re

_SAID = re.compile(
    r"\b(?:(?i:EU|EuGH)\b|(?i:europ|mitgliedstaat)|Union(?:s\w+)?\b|Binnenmarkt)|(?i:richtlinie)\b"
)


def says_union(text: str) -> bool:
    """Whether a German question speaks of the EU, its law, its courts or its member states."""
    return _SAID.search(text) is not None
