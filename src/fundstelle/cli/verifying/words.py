"""Whether the words of an answer are those of which the release has the hash. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from fundstelle.corpus.proof.leaf import DecisionLeaf, NormLeaf

_BESIDE = ("lead_in", "lead_out")
_OF_WORDS = frozenset(("content", "segments", *_BESIDE))


def hash_words(words: str) -> str:
    """SHA-256 as ``text_sha256`` has it."""
    return sha256(words.encode("utf-8", "surrogatepass")).hexdigest()


class FullTexts:
    """The full stored texts that a reader has, by their hashes.

    The hash of a release is of a full text. A part can be compared with it where the full text is
    at hand: in the same answer, or given beside it.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = {hash_words(text): text for text in texts}

    def list_problems(
        self, unit: Mapping[str, Any], leaf: NormLeaf | DecisionLeaf
    ) -> Iterator[str]:
        """What of the words of a unit is not in the release, each with its field."""
        content = unit.get("content")
        full = self._texts.get(leaf.text_sha256)
        if content is not None and not isinstance(content, str):
            yield "content: it is no text"
        if full is not None:
            yield from _compare_with_full(unit, content, full)
        elif isinstance(content, str):
            if not _is_part(unit):
                yield "content: the words do not have the hash of the release"
            yield from _compare_segments(unit, content, _get(unit, "content_start", 0))

    def find_doubt(self, unit: Mapping[str, Any], leaf: NormLeaf | DecisionLeaf) -> str | None:
        """Why nothing can be said of the words: a part, and no full text to compare it with."""
        is_whole = isinstance(unit.get("content"), str) and not _is_part(unit)
        if is_whole or leaf.text_sha256 in self._texts:
            return None
        return (
            "it is a part, and the release has the hash of the full text, which is not here;"
            " give it with --text, or look the whole provision up"
        )


def has_words(unit: Mapping[str, Any]) -> bool:
    """Whether a unit shows words of its text."""
    return not _OF_WORDS.isdisjoint(unit)


def _is_part(unit: Mapping[str, Any]) -> bool:
    provenance = unit.get("provenance")
    return isinstance(provenance, dict) and "hash_scope" in provenance


def _get(unit: Mapping[str, Any], name: str, absent: int) -> int:
    """An offset; -1 where it is none."""
    offset = unit.get(name, absent)
    return offset if type(offset) is int and offset >= 0 else -1


def _compare_with_full(unit: Mapping[str, Any], content: object, full: str) -> Iterator[str]:
    if isinstance(content, str):
        start = _get(unit, "content_start", full.find(content) if _is_part(unit) else 0)
        end = _get(unit, "content_end", start + len(content))
        if not (_is_part(unit) or (start, end) == (0, len(full))) or full[start:end] != content:
            yield "content: the words are not those of the full text at this place"
    yield from _compare_segments(unit, full, 0)
    for name in _BESIDE:
        if unit.get(name) is not None and str(unit[name]) not in full:
            yield f"{name}: the words are not in the full text"


def _compare_segments(unit: Mapping[str, Any], text: str, begins: int) -> Iterator[str]:
    """Segments that are not what stands at their offsets; ``begins`` is that of ``text``."""
    segments = unit.get("segments")
    for at, segment in enumerate(segments if isinstance(segments, list) else ()):
        try:
            low, high = segment["start"] - begins, segment["end"] - begins
            fits = 0 <= low <= high <= len(text) and text[low:high] == segment["text"]
        except (TypeError, KeyError):
            fits = False
        if not fits:
            yield f"segments[{at}]: its words are not those at its offsets"
