"""How large the answers of the tools that give texts are at most, and the room of the texts in it.

One place for what the descriptions promise: ``fit_texts`` and ``share_out`` plan the texts by it,
``fitting`` leaves out what goes beyond it all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.lookup.answers import Resolution
from fundstelle.tools.answers.envelope import BYTES_PER_TOKEN, DETAILED_TOKENS

LEAST_ROOM = 200  # below this a text would be a stump
_CHARACTERS_PER_TOKEN = 3  # that are asked for beyond the default
_DETAILED = 3  # times as much: marked parts, sources and proofs of each text
_NORM_BYTES = 1_150  # what stands around the text of one norm
_FURTHER_BYTES = 600  # of one behind the first of its citation, mostly of the same law
ENVELOPE_BYTES = 1_500  # what stands around all of it
_LEAST_TEXT = 500


def count_most(max_chars: int, default: int, *, detailed: bool = False) -> int:
    """Bytes that an answer has at most; who asks for more than the default gets more."""
    beyond = max(max_chars - default, 0) // _CHARACTERS_PER_TOKEN
    most = (DETAILED_TOKENS + beyond) * BYTES_PER_TOKEN
    return _DETAILED * most if detailed else most


def fit_texts(max_chars: int, default: int, norms: int, beside: int = 0) -> int:
    """Characters of text that ``norms`` may share so that the answer stays in its token budget.

    ``beside``: bytes that the rest may take.
    """
    return max(_find_room(max_chars, default, norms, beside), min(max_chars, _LEAST_TEXT))


def _find_room(max_chars: int, default: int, norms: int, beside: int) -> int:
    """As ``fit_texts``; what is not there is less than nothing."""
    most = count_most(max_chars, default) - ENVELOPE_BYTES - beside
    return min(max_chars, most - norms * _NORM_BYTES)


@dataclass(frozen=True, slots=True)
class Shares:
    """What each unit of an answer for several citations has of its room.

    ``characters`` of each unit in order, ``None`` for one that comes by its names alone.
    ``repeats``: whether the first of several stands in the answer twice. ``room`` is that of all.
    """

    characters: Sequence[int | None]
    repeats: bool
    room: int


def share_out(
    resolutions: Sequence[Resolution], max_chars: int, default: int, beside: int
) -> Shares:
    """Short texts whole, the long ones share what is left.

    Where there is no room for all, the first of each citation come, and of the further ones, in
    their order, as many as make the most text in all: those behind cost none of it.
    """
    lengths = [[hit.end - hit.start for hit in each.hits] for each in resolutions]
    places = [(row, place) for row, each in enumerate(lengths) for place in range(len(each))]
    all_of_them = [lengths[row][place] for row, place in places]
    firsts = sum(place == 0 for _, place in places)
    several = [each[0] for each in lengths if len(each) > 1]

    def find_room(count: int, again: int = 0) -> int:
        further = max(count - firsts, 0) * _FURTHER_BYTES
        return _find_room(max_chars, default, min(count, firsts) + again, beside + further)

    room = find_room(len(places), len(several))
    if sum(all_of_them) + sum(several) <= room:
        return Shares(all_of_them, repeats=True, room=room)
    in_turn = sorted(range(len(places)), key=lambda one: (places[one][1] > 0, one))
    best: tuple[bool, int, int] = (False, 0, 0)
    chosen: list[int] = []
    for count in range(1, len(in_turn) + 1):
        if (room := find_room(count)) < 0:
            break
        texts = [all_of_them[one] for one in in_turn[:count]]
        shares = _fill(texts, room)
        if any(share < min(LEAST_ROOM, text) for share, text in zip(shares, texts, strict=True)):
            continue
        has_firsts = count >= firsts
        if (made := (has_firsts, sum(shares) if has_firsts else count, count)) > best:
            best, chosen = made, shares
    characters: list[int | None] = [None] * len(places)
    for one, share in zip(in_turn, chosen, strict=False):
        characters[one] = share
    return Shares(characters, repeats=False, room=find_room(len(chosen)))


def _fill(lengths: Sequence[int], room: int) -> list[int]:
    shares = [0] * len(lengths)
    for waiting, index in enumerate(sorted(range(len(lengths)), key=lengths.__getitem__)):
        shares[index] = min(lengths[index], room // (len(lengths) - waiting))
        room -= shares[index]
    return shares
