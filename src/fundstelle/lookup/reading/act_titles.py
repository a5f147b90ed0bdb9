"""What stands behind the number of an EU act and could not be compared with what is held of it."""

from fundstelle.citations.laws import eu
from fundstelle.citations.laws.own_titles import read_tail
from fundstelle.citations.text.clean import clean
from fundstelle.lookup.library import Library

_LEAST = 20  # characters behind the number


def list_uncompared(library: Library, written: str, celex: str) -> tuple[str, ...]:
    """Sentences on the title and the place in the Official Journal that are written with it."""
    facts = library.names.get_facts(celex)
    text = clean(written).text if facts and "/" in written else ""
    notes: dict[str, None] = {}
    for match in eu.ACT.finditer(text) if len(text) > _LEAST else ():
        act = eu.read_act(text, match.start())
        if act is not None and act.celex == celex:
            notes |= dict.fromkeys(read_tail(text, act.end, facts).notes)
    return tuple(notes)
