"""CELLAR, the repository of the EU Publications Office: acts and CJEU case law by CELEX number.

Source: Publications Office, "Cellar end-user manual". A document is asked for by
``/resource/{ps-name}/{ps-id}``; "the following HTTP headers must be set on the request":
``Accept``, which for all files of an edition is ``application/zip;mtype={manifestation-type}``
(without a space before ``mtype``), and ``Accept-Language``, "a 3-chars ISO_639-3 language code".
``Accept-Max-Cs-Size`` bounds the answer; what is bigger is answered by "406 - Not Acceptable".
"If the manifestation hosts 1 single content stream with mimetype application/zip, then the stream
is not zipped again, but instead it is returned as is". Lists are made by SPARQL
(``cellar_lists``).
"""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from fundstelle.errors import SourceError
from fundstelle.ingest.history.snapshots import MAX_FILE_BYTES, SourceEntry
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.eu.cellar_lists import CELEX, list_acts, list_consolidated
from fundstelle.ingest.sources.eu.eurlex_html import looks_like_act
from fundstelle.ingest.sources.files.cache import (
    CachedFile,
    Wanted,
    WrongContent,
    fetch_each,
    get_folder,
)
from fundstelle.ingest.sources.files.download import Downloader, NotThere
from fundstelle.ingest.sources.files.limits import (
    MAX_INNER_DIRECTORY_BYTES,
    ZIP_DAMAGE,
    check_directory,
    check_member,
)

_MOST_BYTES = 64 * 2**20
_MOST_MEMBERS = 1_000
_MOST_UNPACKED = 256 * 2**20
_CASE_LAW = "6"
_CONSOLIDATED = "0"


@dataclass(frozen=True, slots=True)
class _Form:
    """One of the publisher's formats."""

    folder: str  # in the cache
    file: str
    accept: str


_FORMEX = _Form("fmx4", "edition.zip", "application/zip;mtype=fmx4")
_XHTML = _Form("xhtml", "edition.xhtml", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class Cellar:
    """Where the repository is, where its files are kept, which language comes first."""

    cache: Path
    base_url: str
    languages: tuple[str, ...] = ("deu", "eng")


@dataclass(frozen=True, slots=True)
class CellarFiles:
    """The acts fetched, each in the first language and form that it is to be had in."""

    cellar: Cellar
    numbers: tuple[str, ...]
    retrieved_at: datetime
    missing: tuple[SourceEntry, ...] = ()
    name: str = "publications.europa.eu"

    @property
    def url(self) -> str:
        """The repository's address."""
        return self.cellar.base_url + "/"

    def entries(self) -> Iterator[SourceEntry]:
        """The files of every act, and a problem for each that could not be had."""
        yield from self.missing
        for number in self.numbers:
            file, form, language = _find_held(self.cellar, number)
            data = file.path.read_bytes()
            if form is _FORMEX:
                yield from _unzip(name_folder(number), data)
            else:
                page = f"{number}_{language[:2]}.xhtml".replace("/", "-")
                yield SourceEntry(f"{name_folder(number)}/{page}", data)


def fetch(
    order: Order, client: Downloader, progress: Progress, now: datetime | None = None
) -> CellarFiles | None:
    """The documents of these CELEX numbers, of acts also the consolidated text in force.

    With a day also the acts of that day or later; ``None`` if there are none.

    Raises:
        SourceError: a number is none, or the repository cannot be reached.
    """
    cellar = Cellar(order.cache, order.address)
    numbers = list(order.names or ())
    if order.since is not None:
        numbers += list_acts(cellar.base_url, client, order.since)
    if not numbers:
        return None
    moment = now or datetime.now(UTC)
    for number in numbers:
        if not CELEX.fullmatch(number):
            raise SourceError(f"{number!r} is no CELEX number, such as 32016R0679")
    newest, problems = _find_newest(cellar, client, numbers, moment.date())
    held, missing = fetch_each(
        [Wanted(number, name_folder(number)) for number in dict.fromkeys([*numbers, *newest])],
        lambda number: fetch_document(cellar, client, number, moment),
        cellar.base_url,
        "EU documents",
        progress,
    )
    return CellarFiles(cellar, tuple(held), moment, (*problems, *missing))


def forget_document(cellar: Cellar, number: str) -> None:
    """Let go of what was fetched of a document, so that it is asked for anew."""
    for language in cellar.languages:
        for form in _list_forms(number):
            _find_file(cellar, number, form, language).forget()


def find_day(number: str) -> date | None:
    """From which day the consolidated text of this number holds; ``None`` if it names no day."""
    try:
        return date.fromisoformat(name_folder(number).rpartition("/")[2])
    except ValueError:
        return None


def _find_newest(
    cellar: Cellar, client: Downloader, numbers: Sequence[str], today: date
) -> tuple[list[str], list[SourceEntry]]:
    """The newest consolidated text of each act up to today; those to come an update fetches.

    That a list is not to be had stops nothing.
    """
    acts = [number for number in numbers if number.startswith("3") and "R(" not in number]
    try:
        versions = list_consolidated(cellar.base_url, client, acts)
    except SourceError as error:
        return [], [SourceEntry("consolidated texts", b"", problem=str(error))]
    texts = ([one for one in found if _is_of(one, today)] for found in versions.values())
    return [max(found) for found in texts if found], []


def _is_of(number: str, today: date) -> bool:
    """Whether the consolidated text of this number holds today, or held before."""
    day = find_day(number)
    return day is not None and day <= today


def fetch_document(cellar: Cellar, client: Downloader, number: str, moment: datetime) -> None:
    """Keep the first form and language that there is.

    Raises:
        NotThere: there is none.
        WrongContent: what came is no such document, in no form.
    """
    wrong: SourceError | None = None
    for language in cellar.languages:
        for form in _list_forms(number):
            try:
                _refresh(cellar, client, number, form, language, moment)
            except NotThere:
                _find_file(cellar, number, form, language).forget()
            except WrongContent as error:
                wrong = wrong or error
            else:
                return
    tried = ", ".join(cellar.languages)
    raise wrong or NotThere(f"{_build_url(cellar, number)} is not there ({tried})")


def _list_forms(number: str) -> tuple[_Form, ...]:
    """Pages of case law and of consolidated texts alone cannot be read here."""
    return (_FORMEX,) if number[0] in {_CASE_LAW, _CONSOLIDATED} else (_FORMEX, _XHTML)


def _refresh(  # noqa: PLR0913, PLR0917 what names one file of one document
    cellar: Cellar, client: Downloader, number: str, form: _Form, language: str, moment: datetime
) -> None:
    url = _build_url(cellar, number)
    file = CachedFile(_find_file(cellar, number, form, language).path, url)
    if file.read_state().is_fresh(moment):
        return
    headers = {
        "Accept": form.accept,
        "Accept-Language": language,
        "Accept-Max-Cs-Size": str(_MOST_BYTES),
    }
    ask = partial(client.fetch, url, _MOST_BYTES, wanted=headers)
    file.refresh(ask, partial(_REQUIRED[form], url), moment)


def _find_held(cellar: Cellar, number: str) -> tuple[CachedFile, _Form, str]:
    """What was fetched of a document.

    Raises:
        SourceError: the cache has been emptied meanwhile.
    """
    for language in cellar.languages:
        for form in _list_forms(number):
            file = _find_file(cellar, number, form, language)
            if file.path.is_file():
                return file, form, language
    raise SourceError(f"{number} is no longer in {cellar.cache}; run the command again")


def _find_file(cellar: Cellar, number: str, form: _Form, language: str) -> CachedFile:
    folder = get_folder(cellar.cache, number.replace("/", "-"))
    return CachedFile(folder / f"{form.folder}-{language}" / form.file)


def _build_url(cellar: Cellar, number: str) -> str:
    return f"{cellar.base_url}/resource/celex/{quote(number, safe='')}"


def name_folder(number: str) -> str:
    """The folder that the adapter reads number and day from: ``32016R0679/2016-05-04``."""
    base, _, day = number.replace("/", "-").partition("-")
    if number[0] == _CONSOLIDATED:
        return f"3{base[1:]}/{day[:4]}-{day[4:6]}-{day[6:]}"
    return f"{number.replace('/', '-')}/oj"


def _require_formex(url: str, data: bytes, content_type: str) -> None:
    try:
        check_directory(edition := BytesIO(data), "it", MAX_INNER_DIRECTORY_BYTES)
        with zipfile.ZipFile(edition) as packed:
            if any(name.endswith(".xml") for name in packed.namelist()):
                return
    except (*ZIP_DAMAGE, SourceError):
        pass
    raise WrongContent(f"{url} is not a zip file of Formex ({content_type})")


def _require_page(url: str, data: bytes, content_type: str) -> None:
    if not looks_like_act(data):
        raise WrongContent(f"{url} is not the page of an act ({content_type})")


_REQUIRED: dict[_Form, Callable[[str, bytes, str], None]] = {
    _FORMEX: _require_formex,
    _XHTML: _require_page,
}


def _unzip(name: str, data: bytes) -> Iterator[SourceEntry]:
    """The XML files of an edition; each at most one byte longer than a file may be."""
    size = 0
    try:
        check_directory(edition := BytesIO(data), "it", MAX_INNER_DIRECTORY_BYTES)
        with zipfile.ZipFile(edition) as packed:
            members = [one for one in packed.infolist() if one.filename.endswith(".xml")]
            for member in members[:_MOST_MEMBERS]:
                check_member(member, "it")
                with packed.open(member) as file:
                    content = file.read(MAX_FILE_BYTES + 1)
                size += len(content)
                if size > _MOST_UNPACKED:
                    yield SourceEntry(name, b"", problem="it unpacks to more than any act has")
                    return
                yield SourceEntry(f"{name}/{PurePosixPath(member.filename).name}", content)
    except ZIP_DAMAGE as error:
        yield SourceEntry(name, b"", problem=f"its zip file is damaged ({error})")
    except SourceError as error:
        yield SourceEntry(name, b"", problem=f"its zip file is refused: {error}")
