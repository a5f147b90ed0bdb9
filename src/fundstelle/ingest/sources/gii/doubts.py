"""What of a law's file is doubted at a look, though a build could read it.

A file that lacks most of the provisions held of its law is cut short, or the law is mostly gone.
Taken for the law it would end all that it lacks. Where the file itself says that they went, it is
taken at once: by norms that are ``(weggefallen)``, or by a note, new since, that the law is
repealed. Otherwise it is taken when a look of another day finds the same text again; until then the
law stays as it is held, and is not taken for seen.

Of 8,444 steps of five years eleven lost more than half, seven of them of ten provisions or more:
all by repeals that the file tells.

Nor does a law that is held come to the name of another one that is listed.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Protocol

import orjson

from fundstelle.citations.laws.names import choose_abbreviation
from fundstelle.citations.text.folding import fold_abbreviation
from fundstelle.ingest.records import ParsedStatute, StatuteHeader
from fundstelle.ingest.sources.files.cache import NotUsable
from fundstelle.ingest.sources.files.download import write_whole
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import Fassung, Norm, NormKind, NormStatus, Statute

_NOTE = "doubted.json"
_LEAST_KEPT = 0.5
_SHOWN = 80
_FEW = 10  # of a short law half is soon gone
_REPEALED = "Aufh"


@dataclass(frozen=True, slots=True)
class HeldStatute:
    """A law as the build has it that a look goes on from."""

    statute: Statute
    list_histories: Callable[[], Iterable[tuple[Norm, Sequence[Fassung]]]]  # reads all of it

    def list_provisions(self) -> Sequence[Norm]:
        """What is in force of it and has words."""
        return _list_in_force((norm, all_[-1]) for norm, all_ in self.list_histories())


class HeldLaws(Protocol):
    """The federal laws of the build that a look goes on from."""

    def find(self, number: str) -> HeldStatute | None:
        """A law by its document number."""

    def find_namesake(self, number: str, abbreviation: str) -> Statute | None:
        """Another law that is listed and goes by that abbreviation."""


class NoLaws:
    """Of a first look: nothing is held yet."""

    def find(self, number: str) -> None:
        """There is none."""

    def find_namesake(self, number: str, abbreviation: str) -> None:
        """There is none."""


NO_LAWS = NoLaws()


def require_own_name(url: str, header: StatuteHeader, held: HeldLaws) -> None:
    """See that a law which is held does not come to the name of another one that is listed.

    The newer law of a name is the one meant by it, so that nobody would find the other one. Of
    6,600 laws none has done so in five years; one that does is taken when the other has let go.
    Some 150 share theirs with a newer one, and are held with their year: they go on so.

    Raises:
        NotUsable: it does.
    """
    held_law = held.find(header.publisher_id)
    if held_law is None:
        return
    before = held_law.statute
    name = choose_abbreviation(
        header.abbreviation_juris, header.abbreviation_official, header.title
    )
    juris = before.abbreviations_juris
    own = choose_abbreviation(next(iter(juris), ""), before.abbreviation_official, before.title)
    if fold_abbreviation(name) in map(fold_abbreviation, (*juris, before.abbreviation, own)):
        return
    other = held.find_namesake(header.publisher_id, name)
    if other is not None:
        raise NotUsable(
            f"{url} calls itself {name[:_SHOWN]}, as another law that is listed does"
            f" ({other.slug}), and is held as {before.abbreviation}: what is held of both"
            " stays. See the two at their publisher"
        )


@dataclass(frozen=True, slots=True)
class Doubts:
    """What was doubted of the file of one law, in the law's folder of the cache."""

    folder: Path

    def require_most(
        self, url: str, parsed: ParsedStatute, fingerprint: str, held: HeldStatute, day: date
    ) -> None:
        """See that a file which lacks most of the law is one that another look found, too.

        Raises:
            NotUsable: it is not.
        """
        found = len(_list_in_force(parsed.norms))
        if found >= held.statute.norm_count * _LEAST_KEPT:  # of no fewer than are in force
            return
        before = held.list_provisions()
        if len(before) < _FEW or found >= len(before) * _LEAST_KEPT:
            return
        if _tells_repeal(parsed, held.statute) or _tells_gone(parsed, before, found):
            return
        first = self._read(fingerprint)
        if first is not None and first < day:
            return
        if first is None:
            said = {"fingerprint": fingerprint, "day": day.isoformat()}
            write_whole(self.folder / _NOTE, orjson.dumps(said))
        raise NotUsable(
            f"{url} has {found} of the {len(before)} provisions that are held of the law, and does"
            " not say that the others went: it may be cut short, and what is held stays. See the"
            " law at its publisher; a look on another day that finds it so again takes it"
        )

    def forget(self) -> None:
        """The law is as it was, or was taken: what was doubted of it has passed."""
        (self.folder / _NOTE).unlink(missing_ok=True)

    def _read(self, fingerprint: str) -> date | None:
        """On which day a look found this text first."""
        with suppress(OSError, ValueError, TypeError, LookupError):
            said = orjson.loads((self.folder / _NOTE).read_bytes())
            if said["fingerprint"] == fingerprint:
                return date.fromisoformat(said["day"])
        return None


def _list_in_force(norms: Iterable[tuple[Norm, Fassung]]) -> list[Norm]:
    return [
        norm
        for norm, fassung in norms
        if norm.kind is not NormKind.HEADING
        and norm.status is NormStatus.IN_FORCE
        and fassung.text.strip()
    ]


def _tells_repeal(parsed: ParsedStatute, held: Statute) -> bool:
    """Whether the file says, and did not before, that the law is repealed."""
    known = {note.text for note in held.stand_notes}
    notes = parsed.statute.stand_notes
    return any(note.kind == _REPEALED and note.text not in known for note in notes)


def _tells_gone(parsed: ParsedStatute, before: Sequence[Norm], found: int) -> bool:
    """Whether most of the law is in the file, or named there as gone."""
    gone = [norm for norm, _ in parsed.norms if norm.status is NormStatus.REPEALED]
    told = sum(any(_covers(one, norm) for one in gone) for norm in before)
    return found + told >= len(before) * _LEAST_KEPT


def _covers(gone: Norm, norm: Norm) -> bool:
    """Whether a norm that is ``(weggefallen)`` is this one, or a range with it."""
    if gone.kind is not norm.kind:
        return False
    if gone.number_end is None:
        return gone.number == norm.number
    first = gone.number.partition("-")[0]
    return number_key(first) <= number_key(norm.number) <= number_key(gone.number_end)
