"""The consolidated texts that CELLAR has of the acts held, later than those that are held."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import SourceError
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.adapter import Followed, HeldEdition, Order
from fundstelle.ingest.sources.eu.cellar import (
    Cellar,
    CellarFiles,
    fetch_document,
    find_day,
    forget_document,
    name_folder,
)
from fundstelle.ingest.sources.eu.cellar_lists import CELEX, list_consolidated
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.ingest.sources.eu.reread import hash_reader
from fundstelle.ingest.sources.eu.succession import count_provisions
from fundstelle.ingest.sources.files.cache import Wanted, WrongContent, fetch_each
from fundstelle.ingest.sources.files.download import Downloader, NotThere
from fundstelle.ingest.sources.files.joined import JoinedFiles
from fundstelle.law.norms import NormStatus

_LANGUAGES = {"de": "deu", "en": "eng"}
_MOST_TEXTS = 100  # of one edition in one look; the VAT directive has had 32 in 17 years
_LEAST_KEPT = 0.5  # of the provisions; of 177 steps in the archives one lost more, by a repeal


@dataclass(frozen=True, slots=True)
class _Later:
    """The texts behind the Stand of an edition, up to today, oldest first.

    ``known`` is the newest that is held, where another program read it: what goes on from it is to
    be compared with it as this one reads it.
    """

    edition: HeldEdition
    numbers: tuple[str, ...]
    left_out: int  # the oldest of too many
    known: str | None = None


def follow(
    order: Order,
    held: Sequence[HeldEdition],
    client: Downloader,
    progress: Progress,
    now: datetime | None = None,
) -> Followed:
    """Each later text of each edition that is held, in its language, oldest first.

    Where another program read the newest that is held, that comes before them once more.

    A text that is to be had in no form is named and passed over. One that failed to come, or that
    no build can use, keeps those after it waiting: with them its edition would be beyond it, and
    never ask again.

    Raises:
        SourceError: the list of texts is not to be had.
    """
    moment = now or datetime.now(UTC)
    editions = [one for one in held if one.slug.startswith("3") and CELEX.fullmatch(one.slug)]
    acts = list(dict.fromkeys(edition.slug for edition in editions))
    texts = list_consolidated(order.address, client, acts)
    parts: list[CellarFiles] = []
    known = 0  # texts that are held, and read again
    problems: list[str] = []
    for language, code in _LANGUAGES.items():
        own = [edition for edition in editions if edition.language == language]
        later = [_find_later(edition, texts.get(edition.slug, ()), moment) for edition in own]
        problems += [
            f"{one.edition.slug}: the {one.left_out} oldest of its later texts are not asked for,"
            f" only the newest {_MOST_TEXTS}"
            for one in later
            if one.left_out
        ]
        if any(one.numbers for one in later):
            cellar = Cellar(order.cache, order.address, (code,))
            part, count = _fetch(cellar, client, later, moment, progress)
            parts.append(part)
            known += count
    problems += [f"{one.name}: {one.problem}" for part in parts for one in part.missing]
    had = [
        CellarFiles(part.cellar, part.numbers, part.retrieved_at) for part in parts if part.numbers
    ]
    return Followed(
        JoinedFiles(tuple(had)) if had else None,
        asked=len(acts),
        new=sum(len(part.numbers) for part in had) - known,
        problems=tuple(problems),
    )


def _find_later(edition: HeldEdition, numbers: Iterable[str], moment: datetime) -> _Later:
    days = {
        day: number
        for number in sorted(numbers)
        if name_folder(number).partition("/")[0] == edition.slug
        and (day := find_day(number)) is not None
    }
    later = [days[day] for day in sorted(days) if edition.stand < day <= moment.date()]
    taken = tuple(later[-_MOST_TEXTS:])
    known = days.get(edition.stand, edition.slug)
    is_read = not taken or edition.read_by == hash_reader()
    return _Later(edition, taken, len(later) - len(taken), None if is_read else known)


def _fetch(
    cellar: Cellar,
    client: Downloader,
    later: Sequence[_Later],
    moment: datetime,
    progress: Progress,
) -> tuple[CellarFiles, int]:
    """The texts that came, and how many of them were held."""
    again = {one.known: one.edition for one in later if one.known is not None}
    owner = {**again, **{number: one.edition for one in later for number in one.numbers}}
    provisions = {one.edition: one.edition.provisions for one in later}
    stopped: set[HeldEdition] = set()  # behind a text that failed nothing more is asked for
    waiting: set[str] = set()

    def fetch_one(number: str) -> None:
        edition = owner[number]
        if edition in stopped:
            waiting.add(name_folder(number))
            raise NotThere(number)
        try:
            fetch_document(cellar, client, number, moment)
            provisions[edition] = _require_text(cellar, edition, number, provisions[edition])
        except NotThere:
            raise
        except SourceError:
            forget_document(cellar, number)  # it is asked for until it can be used
            if number not in again:  # what is held of that text is there
                stopped.add(edition)
            raise

    wanted = [Wanted(number, name_folder(number)) for number in owner]
    came, missing = fetch_each(wanted, fetch_one, cellar.base_url, "EU documents", progress)
    told = tuple(entry for entry in missing if entry.name not in waiting)
    return CellarFiles(cellar, tuple(came), moment, told), sum(one in again for one in came)


def _require_text(cellar: Cellar, edition: HeldEdition, number: str, before: int) -> int:
    """How many provisions the text has, which a build will read as the one asked for.

    Raises:
        WrongContent: it has none, or is not that text, or lacks most of what was there before.
    """
    entries = list(CellarFiles(cellar, (number,), datetime.now(UTC)).entries())
    files = [
        SourceFile(entry.name, entry.name.rpartition("/")[0], entry.data)
        for entry in entries
        if entry.problem is None
    ]
    read = list(iter_acts(files, frozenset({(edition.slug, edition.language)})))
    acts = [one for one in read if isinstance(one, ParsedAct)]
    if len(acts) != 1:
        reasons = [one.reason for one in read if isinstance(one, Rejected)]
        reasons += [entry.problem for entry in entries if entry.problem]
        raise WrongContent(f"no build can use it: {'; '.join(reasons) or 'it holds no act'}")
    if all(norm.status is NormStatus.REPEALED for norm, _ in acts[0].norms):
        return 0  # so is the act
    found = count_provisions(acts[0])
    if found < before * _LEAST_KEPT or not found:
        raise WrongContent(
            f"it has {found} provisions with words, the text before it {before}: it may be cut"
            f" short; if it is not, 'fundstelle ingest --celex {edition.slug}' takes it"
        )
    return found
