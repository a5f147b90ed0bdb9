"""EU acts by name, as the citation parser knows them."""

from functools import cache
from typing import Any

from fundstelle.citations.text.tables import read_table, split_list

_ADDRESS = "https://eur-lex.europa.eu/legal-content/DE/TXT/?uri=CELEX:"


@cache
def list_eu_acts() -> tuple[dict[str, Any], ...]:
    """Each act with its names, CELEX number and address at EUR-Lex, by CELEX number."""
    acts = [
        {
            "celex": celex,
            "abbreviation": short,
            "other_abbreviations": split_list(others),
            "names": split_list(names),
            "url": _ADDRESS + celex,
        }
        for short, celex, others, names, *_ in read_table("eu_acts")
    ]
    return tuple(sorted(acts, key=lambda act: str(act["celex"])))
