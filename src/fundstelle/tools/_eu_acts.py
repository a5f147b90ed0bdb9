"""EU acts by name, as the citation parser knows them."""

from functools import lru_cache


@lru_cache(maxsize=1)
def list_eu_acts() -> tuple[dict[str, str], ...]:
    """Each act with its abbreviation, CELEX number and address at EUR-Lex, by CELEX number."""
    return ()
