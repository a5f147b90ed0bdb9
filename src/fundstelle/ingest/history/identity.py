"""Which norm of a snapshot is which norm of the one before, where its number has become another.

Numbers are given inside one snapshot: where a law has both § 1 and Artikel 1, the kind of which it
has more keeps the plain number, and where the §§ start anew below an Artikel all are named with
it. One more provision may turn that over, and then the same id names another provision.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from fundstelle.law.norms import Fassung, Norm, NormKind, Statute

History = tuple[Norm, tuple[Fassung, ...]]
_Key = Callable[[Norm, Fassung], Hashable]

_NUMBERED = (NormKind.SECTION, NormKind.ARTICLE)


def rename(before: Sequence[History], now: Sequence[tuple[Norm, Fassung]]) -> Sequence[History]:
    """The histories under the ids that their norms have now.

    A provision keeps its id as long as it is of the same kind and alone has its designation.
    Others are found again by designation and words, by designation and heading, by their id or by
    a designation that occurs once. What is not found again and whose id is another's now goes on
    under an id of its own, as a further norm of that designation.
    """
    kinds = {norm.norm_id: norm.kind for norm, _ in now}
    held = (norm.norm_id for norm, _ in before)
    several = {norm_id.partition("~")[0] for norm_id in (*kinds, *held) if "~" in norm_id}

    def is_settled(norm: Norm) -> bool:
        alone = norm.norm_id.partition("~")[0] not in several
        return alone and kinds.get(norm.norm_id) is norm.kind

    moved = [
        (norm, fassungen[-1])
        for norm, fassungen in before
        if norm.kind in _NUMBERED and not is_settled(norm)
    ]
    if not moved:
        return before
    settled = {norm.norm_id for norm, _ in before if is_settled(norm)}
    free = [(norm, fassung) for norm, fassung in now if norm.norm_id not in settled]
    ids: dict[str, str] = {}
    for key in (_get_words, _get_heading, _get_id, _get_designation):
        left = [each for each in moved if each[0].norm_id not in ids]
        given = set(ids.values())
        ids |= _match(left, [each for each in free if each[0].norm_id not in given], key)
    taken = {ids.get(norm.norm_id, norm.norm_id) for norm, _ in before} | kinds.keys()
    tried: Counter[str] = Counter()
    for norm, _ in moved:
        if norm.norm_id in kinds and norm.norm_id not in ids:
            ids[norm.norm_id] = _find_free(norm.norm_id, taken, tried)
    return [_give_id(norm, fassungen, ids) for norm, fassungen in before]


def _get_words(norm: Norm, fassung: Fassung) -> Hashable:
    return norm.kind, norm.label, fassung.text_sha256


def _get_heading(norm: Norm, fassung: Fassung) -> Hashable:
    del fassung
    return norm.kind, norm.label, norm.title


def _get_id(norm: Norm, fassung: Fassung) -> Hashable:
    del fassung
    return norm.kind, norm.norm_id


def _get_designation(norm: Norm, fassung: Fassung) -> Hashable:
    del fassung
    return norm.kind, norm.label


def _match(
    before: Sequence[tuple[Norm, Fassung]], now: Sequence[tuple[Norm, Fassung]], key: _Key
) -> dict[str, str]:
    """Old ids and new ones of what has the same key, where one alone on either side has it."""
    old, new = _list_unique(before, key), _list_unique(now, key)
    return {norm_id: new[found] for found, norm_id in old.items() if found in new}


def _list_unique(norms: Iterable[tuple[Norm, Fassung]], key: _Key) -> dict[Hashable, str]:
    keys = [(key(norm, fassung), norm.norm_id) for norm, fassung in norms]
    counts = Counter(found for found, _ in keys)
    return {found: norm_id for found, norm_id in keys if counts[found] == 1}


def _find_free(norm_id: str, taken: set[str], tried: Counter[str]) -> str:
    """The next id of that designation; ``tried`` is how many of each were looked at before."""
    plain = norm_id.partition("~")[0]
    while True:
        tried[plain] += 1
        new = f"{plain}~{tried[plain] + 1}"
        if new not in taken:
            return new


def _give_id(norm: Norm, fassungen: tuple[Fassung, ...], ids: dict[str, str]) -> History:
    norm_id = ids.get(norm.norm_id)
    if norm_id is None:
        return norm, fassungen
    number = norm_id.removeprefix(f"{norm.statute_id}/")
    return (
        replace(norm, norm_id=norm_id, number=number),
        tuple(replace(fassung, norm_id=norm_id) for fassung in fassungen),
    )


def rename_statute(
    statute: Statute, histories: Sequence[History], statute_id: str, abbreviation: str
) -> tuple[Statute, list[History]]:
    """A statute and its norms by another id and abbreviation: a younger law may take its name."""
    if (statute.statute_id, statute.abbreviation) == (statute_id, abbreviation):
        return statute, list(histories)
    old = f"{statute.statute_id}/", f" {statute.abbreviation}"

    def move(norm_id: str) -> str:
        return f"{statute_id}/{norm_id.removeprefix(old[0])}"

    renamed = [
        (
            replace(
                norm,
                norm_id=move(norm.norm_id),
                statute_id=statute_id,
                citation=f"{norm.citation.removesuffix(old[1])} {abbreviation}",
                parent_id=move(norm.parent_id) if norm.parent_id else None,
            ),
            tuple(replace(fassung, norm_id=move(norm.norm_id)) for fassung in fassungen),
        )
        for norm, fassungen in histories
    ]
    return replace(statute, statute_id=statute_id, abbreviation=abbreviation), renamed
