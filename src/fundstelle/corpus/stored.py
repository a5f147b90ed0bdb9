"""Texts of a build that go into the next one as they are stored: nearly all that an update holds.

Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.corpus.rows import EncodedNorm, EncodedStatute, Row, encode_header, encode_names
from fundstelle.law.norms import Norm, Statute

_UNTIL, _STAND = 7, 9  # places in the row of a fassung


@dataclass(frozen=True, slots=True)
class StoredTexts:
    """The fassungen of a norm, of none of which an enactment is known.

    Attributes:
        fassungen: the columns of each but its key, oldest first; at least one.
        former: as ``EncodedNorm.former``.
    """

    fassungen: tuple[Row, ...]
    former: tuple[tuple[int, str | None, str], ...]


def encode_as_stored(
    statute: Statute, norms: Iterable[tuple[Norm, StoredTexts]], confirmed: date | None
) -> EncodedStatute:
    """All rows of a statute whose texts are those of another build, not decoded.

    ``confirmed`` is a look that found it unchanged: the newest texts were seen on that day.
    """
    stand = confirmed.isoformat() if confirmed else None
    return EncodedStatute(
        statute.statute_id,
        encode_header(statute),
        tuple(
            EncodedNorm(*encode_names(norm), tuple(_confirm(texts.fassungen, stand)), texts.former)
            for norm, texts in norms
        ),
    )


def _confirm(fassungen: Sequence[Row], stand: str | None) -> Sequence[Row]:
    *earlier, newest = fassungen
    if stand is None or newest[_UNTIL] is not None:
        return fassungen
    return (*earlier, (*newest[:_STAND], stand, *newest[_STAND + 1 :]))
