"""From the table of everyday words to those that the texts of a build bear out."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.opening import open_whole
from fundstelle.search.words.everyday import Borne, Entry, read_table, write_everyday

_SHOWN = 10


def write_meanings(database: Path, index: Path) -> Sequence[str]:
    """Write the meanings beside the finished index; says which a held norm does not bear out.

    What names a law that is not held is left out without a word: a build of one law is no fault.
    """
    with closing(open_whole(database, is_written=False)) as store:
        told: list[str] = []
        write_everyday(_bear_out(read_table(), store, told.append), index)
    return _sum_up(told)


def _bear_out(
    entries: Iterable[Entry], store: WholeStore, tell: Callable[[str], None]
) -> Iterator[Borne]:
    """The entries with the norms that use one of their words."""
    for entry in entries:
        held = []
        for norm in entry.norms:
            norm_id = f"de/{norm}" if not norm.startswith("eu/") else norm
            if norm_id.rpartition("/")[0] not in store.statutes:
                continue
            ordinal = store.find_ordinal(norm_id)
            if ordinal is not None and _uses(store, ordinal, entry.words):
                held.append(ordinal)
            else:
                tell(f"{entry.terms[0]} ({norm_id})")
        if held:
            yield Borne(entry.terms, tuple(held), entry.words)


def _uses(store: WholeStore, ordinal: int, words: Sequence[str]) -> bool:
    for _, norm, fassung in store.iter_between(ordinal, ordinal):
        text = " ".join(f"{norm.title or ''} {fassung.text}".casefold().split())
        return any(word.casefold() in text for word in words)
    return False


def _sum_up(told: Sequence[str]) -> Sequence[str]:
    if not told:
        return ()
    shown = ", ".join(told[:_SHOWN])
    more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    return (f"everyday words that the norm named for them no longer bears out: {shown}{more}",)
