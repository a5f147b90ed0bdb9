"""From a cited number to the norm that bears it: §§ beside Artikel, Roman and Arabic counting."""

from fundstelle.corpus.store import CorpusStore
from fundstelle.law.identifiers import build_norm_id, number_key
from fundstelle.law.norms import Norm, NormKind
from fundstelle.lookup.reading.divided import find_anchored, list_counts, to_roman

KINDS = {"§": NormKind.SECTION, "Art": NormKind.ARTICLE}  # by the unit of a citation

# How the id of a norm begins whose number the other kind of the same law has too.
_PREFIXES = {"§": "par-", "Art": "art-"}
_ANNEX_WORDS = ("anlage", "anhang")


def find_numbered(
    store: CorpusStore, statute_id: str, number: str, unit: str | None
) -> Norm | None:
    """The norm of that number.

    Of a law that counts §§ and Artikel side by side only the kind that is cited; of any other law
    also the kind it has, since the sign was then a slip.
    """
    norm = store.find_norm(build_norm_id(statute_id, number))
    kind = KINDS.get(unit or "")
    if norm is None:
        return _find_recounted(store, statute_id, number, unit)
    if kind is None or norm.kind is kind or read_sign(norm) in {None, unit} or "/" in number:
        return norm
    prefixed = store.find_norm(build_norm_id(statute_id, _PREFIXES[unit or ""] + number))
    recounted = prefixed or _find_recounted(store, statute_id, number, unit)
    if recounted is not None:
        return recounted
    if any(read_sign(one) == unit for one in store.list_same(norm.norm_id)):
        return norm
    first, _ = store.find_ends(statute_id, kind)
    counts_both = first is not None and first.kind is kind and "/" not in first.number
    return None if counts_both else norm


def read_sign(norm: Norm) -> str | None:
    """The unit that a norm is cited by ("§" or "Art"), ``None`` for annexes and the like."""
    return next((unit for unit in KINDS if norm.citation.startswith(unit)), None)


def _find_recounted(
    store: CorpusStore, statute_id: str, number: str, unit: str | None
) -> Norm | None:
    """Where the law counts in Roman what is cited in Arabic, or the other way about."""
    if unit == "Anlage":
        return _find_annex(store, statute_id, number.removeprefix("anlage").removeprefix("-"))
    article, slash, section = number.partition("/")
    other = to_roman(article) if unit == "Art" else ""
    return store.find_norm(build_norm_id(statute_id, other + slash + section)) if other else None


def _find_annex(store: CorpusStore, statute_id: str, value: str) -> Norm | None:
    """The annex of that number, called Anlage or Anhang and counted either way.

    A law's only annex is its first; one may stand for several ("Anlage 1 bis 8"), and one may say
    what it belongs to ("Anlage 2 zum Anhang").
    """
    names = [f"{statute_id}/{word}" for word in _ANNEX_WORDS]
    for name in names:
        for each in list_counts(value):
            found = store.find_norm(f"{name}-{each}")
            if found is not None:
                return found
    if value:
        anchored = find_anchored(store.list_norms(statute_id, NormKind.ANNEX), value)
        if anchored is not None:
            return anchored
    if value not in {"", "1"}:
        return _find_annex_range(store, statute_id, value)
    only = next((norm for name in names if (norm := store.find_norm(name))), None)
    if only is not None or value:
        return only or _find_annex_range(store, statute_id, value)
    firsts = [store.find_norm(f"{names[0]}-{each}") for each in ("1", "2", "i", "ii")]
    return firsts[0] or firsts[2] if firsts[1] is None and firsts[3] is None else None


def is_unnumbered(annex: Norm) -> bool:
    """Whether an annex bears no number: the only one of its law, called Anlage or Anhang."""
    return annex.number in _ANNEX_WORDS


def find_unnumbered(store: CorpusStore, statute_id: str, word: str) -> Norm | None:
    """The annex without a number, the one called by ``word`` before one of the other name."""
    words = sorted(_ANNEX_WORDS, key=lambda each: each != word.casefold())
    norms = (store.find_norm(build_norm_id(statute_id, each)) for each in words)
    return next((norm for norm in norms if norm is not None), None)


def _find_annex_range(store: CorpusStore, statute_id: str, value: str) -> Norm | None:
    key = number_key(value)
    for norm in store.list_norms(statute_id, NormKind.ANNEX) if value.isdecimal() else ():
        if norm.number_end is not None:
            first = norm.number.removesuffix(f"-{norm.number_end}").rpartition("-")[2]
            if number_key(first) <= key <= number_key(norm.number_end):
                return norm
    return None
