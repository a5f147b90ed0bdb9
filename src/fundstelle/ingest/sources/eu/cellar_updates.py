"""The consolidated texts that CELLAR has of the acts held, later than those that are held."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources.adapter import Followed, Order
from fundstelle.ingest.sources.eu.cellar import (
    Cellar,
    CellarFiles,
    fetch_document,
    find_day,
    name_folder,
)
from fundstelle.ingest.sources.eu.cellar_lists import CELEX, list_consolidated
from fundstelle.ingest.sources.files.cache import Wanted, fetch_each
from fundstelle.ingest.sources.files.download import Downloader, NotThere
from fundstelle.ingest.sources.files.joined import JoinedFiles
from fundstelle.law.norms import Statute

_LANGUAGES = {"de": "deu", "en": "eng"}
_MOST_TEXTS = 500  # in one look; the others come with the next


def follow(
    order: Order,
    held: Sequence[Statute],
    client: Downloader,
    progress: Progress,
    now: datetime | None = None,
) -> Followed:
    """Each later text of each edition that is held, in its language, oldest first.

    A text that is to be had in no form is named, once, and passed over. One that failed to come
    keeps those after it waiting: with them its edition would be beyond it, and never ask again.

    Raises:
        SourceError: the list of texts is not to be had.
    """
    moment = now or datetime.now(UTC)
    editions = [one for one in held if one.slug.startswith("3") and CELEX.fullmatch(one.slug)]
    acts = list(dict.fromkeys(edition.slug for edition in editions))
    texts = list_consolidated(order.address, client, acts)
    parts: list[CellarFiles] = []
    for language, code in _LANGUAGES.items():
        own = [edition for edition in editions if edition.language == language]
        later = _list_later(own, texts, moment)
        if later:
            cellar = Cellar(order.cache, order.address, (code,))
            parts.append(_fetch(cellar, client, later, moment, progress))
    had = [
        CellarFiles(part.cellar, part.numbers, part.retrieved_at) for part in parts if part.numbers
    ]
    return Followed(
        JoinedFiles(tuple(had)) if had else None,
        asked=len(acts),
        new=sum(len(part.numbers) for part in had),
        problems=tuple(f"{one.name}: {one.problem}" for part in parts for one in part.missing),
    )


def _list_later(
    editions: Sequence[Statute], texts: Mapping[str, Sequence[str]], moment: datetime
) -> list[list[str]]:
    """Of each edition the numbers of the texts behind its Stand, up to today."""
    later: list[list[str]] = []
    room = _MOST_TEXTS
    for edition in editions:
        dated = (
            (find_day(number), number)
            for number in sorted(texts.get(edition.slug, ()))
            if name_folder(number).partition("/")[0] == edition.slug
        )
        days = {day: number for day, number in dated if day is not None}
        numbers = [days[day] for day in sorted(days) if edition.stand < day <= moment.date()]
        if numbers[:room]:
            later.append(numbers[:room])
            room -= len(later[-1])
    return later


def _fetch(
    cellar: Cellar,
    client: Downloader,
    later: Sequence[Sequence[str]],
    moment: datetime,
    progress: Progress,
) -> CellarFiles:
    absent: set[str] = set()

    def fetch_one(number: str) -> None:
        try:
            fetch_document(cellar, client, number, moment)
        except NotThere:
            absent.add(number)
            raise

    wanted = [Wanted(number, name_folder(number)) for numbers in later for number in numbers]
    came, missing = fetch_each(wanted, fetch_one, cellar.base_url, "EU documents", progress)
    had = set(came)
    taken: list[str] = []
    for numbers in later:
        for number in numbers:
            if number in had:
                taken.append(number)
            elif number not in absent:
                break
    return CellarFiles(cellar, tuple(taken), moment, tuple(missing))
