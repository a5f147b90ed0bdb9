"""EU acts and CJEU decisions from files of EUR-Lex, whatever form they have."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import orjson
from lxml import etree, html

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile
from fundstelle.ingest.sources.adapter import Editions
from fundstelle.ingest.sources.eu import eurlex_html, formex, formex_caselaw
from fundstelle.ingest.sources.eu.act import ActText
from fundstelle.ingest.sources.eu.bundles import Bundles, join, may_be_part
from fundstelle.ingest.sources.eu.corrigenda import (
    Correction,
    Corrigendum,
    correct,
    list_corrections,
)
from fundstelle.ingest.sources.eu.deletions import drop_deleted
from fundstelle.ingest.sources.eu.descriptions import read_description
from fundstelle.ingest.sources.eu.editions import build_edition
from fundstelle.ingest.sources.eu.formex import cite_journal, read_day
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.limits import check_marks
from fundstelle.ingest.sources.files.nesting import check_depth
from fundstelle.ingest.sources.files.patience import limited

_FORMEX = (".xml", ".fmx4")
MOST_BYTES = 64 * 1_048_576
_SAFE = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
}
_CELEX = re.compile(
    r"(?<!\d)([03]\d{4}[A-Z]{1,2}\d{4}(?:-\d{8})?|1\d{4}[EMP](?:-TXT)?)(?![A-Z0-9])"
)
_PUBLISHED = "oj"  # folder of the act as published
_LONGEST_NAME = 200  # characters of where a corrigendum is printed
_CORRIGENDUM = re.compile(r"(?<!\d)(3\d{4}[A-Z]\d{4})R\(?(\d\d)\)?")
# The citation engine names the treaties by their consolidation of 2016.
_TREATIES = {"E": "12016E", "M": "12016M", "P": "12016P"}
_ISSUE = re.compile(r"ABl\. (?P<series>[A-Z]+) (?P<number>\d+), (?P<year>\d{4}),")
_EXCERPT = re.compile(r"excerpt|abridged")
_GERMAN_PAGE = re.compile(rb"lang=\"DE\"|_de\.x?html?")
_CONSOLIDATED_PAGE = b'class="title-article-norm"'


@dataclass(frozen=True, slots=True)
class _Described:
    """What the archive says of a version: its day, its title, when it was seen last."""

    day: date | None = None
    title: str = ""
    seen_on: date | None = None
    is_ended: bool = False


@dataclass(slots=True)
class _Gathered:
    """What was read of the acts, before editions are put together."""

    texts: dict[tuple[str, str], list[ActText]] = field(default_factory=dict)
    days: dict[str, "_Described"] = field(default_factory=dict)  # by folder
    corrigenda: dict[tuple[str, str], list[Corrigendum]] = field(default_factory=dict)
    unread: list[Rejected] = field(default_factory=list)  # pages; their texts may lie beside them
    bundles: Bundles = field(default_factory=Bundles)
    # the days of issues of the Official Journal, by series, number and year
    journals: dict[tuple[str, int, int], set[date]] = field(default_factory=dict)


def iter_acts(
    files: Iterable[SourceFile], held: Editions = frozenset()
) -> Iterator[ParsedAct | ParsedDecision | Rejected]:
    """Everything that ``files`` hold, one document after the other; unusable files by name.

    With ``held`` the files are later texts of these editions and nothing else, and each comes by
    itself, oldest first, to go on from them.
    """
    gathered = _Gathered()
    for file in files:
        try:
            with limited():
                decision = _read(file, gathered)
        except Exception as error:  # noqa: BLE001 one file must not end the build
            if _may_be_part(file.name, gathered):
                gathered.bundles.unread.append(file.name)
            yield Rejected(file.name, tell_failure(error))
            continue
        if decision is not None:
            yield decision
    yield from _build_all(gathered, held)


def _may_be_part(name: str, gathered: _Gathered) -> bool:
    """Whether a file that is of no use may be what an act beside it lacks."""
    is_foreign = name in gathered.bundles.foreign or _CORRIGENDUM.search(name) is not None
    return name.endswith(_FORMEX) and not is_foreign


def _read(file: SourceFile, gathered: _Gathered) -> ParsedDecision | None:
    name = file.name.rsplit("/", 1)[-1]
    if len(file.data) > MOST_BYTES:
        raise RejectedFile(file.name, f"it has more than {MOST_BYTES >> 20} MB")
    check_marks(file)
    if name == "meta.json":
        _read_meta(file, gathered)
    elif name.endswith(_FORMEX):
        return _read_xml(file, gathered)
    elif name.endswith((".html", ".xhtml", ".htm")):
        _read_page(file, gathered)
    return None


def _read_meta(file: SourceFile, gathered: _Gathered) -> None:
    """The archive's own description of a version: its day and title."""
    try:
        fields = orjson.loads(file.data)
        day = date.fromisoformat(fields["valid_from"]) if fields.get("valid_from") else None
        titles = [e["title"] for e in fields.get("expressions", ()) if e.get("language") == "en"]
        seen = [date.fromisoformat(e["observed_from"][:10]) for e in fields.get("events", ())]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RejectedFile(file.name, f"it is no description of a version ({error})") from None
    is_ended = str(fields.get("in_force_status")) == "0"
    title = titles[0] if titles else ""
    described = _Described(day, title, max(seen, default=None), is_ended=is_ended)
    gathered.days[file.name.rpartition("/")[0]] = described


def _parse(file: SourceFile) -> etree._Element:
    try:
        root = etree.fromstring(file.data, etree.XMLParser(**_SAFE))
    except etree.XMLSyntaxError as error:
        reason = "it is empty" if not file.data.strip() else f"it is no complete XML ({error})"
        raise RejectedFile(file.name, reason) from None
    if next(root.iter(etree.Entity), None) is not None:
        raise RejectedFile(file.name, "it uses an entity that XML does not define")
    check_depth(root, file.name)
    drop_deleted(root)
    return root


def _read_xml(file: SourceFile, gathered: _Gathered) -> ParsedDecision | None:
    root = _parse(file)
    if not may_be_part(root):
        gathered.bundles.foreign.add(file.name)
    if etree.QName(root).localname == "html":  # newer pages are XML
        _read_page(file, gathered)
        return None
    if formex_caselaw.is_decision(root):
        return formex_caselaw.parse(root, file)
    for issue, day in formex.iter_journals(root):
        gathered.journals.setdefault(issue, set()).add(day)
    act = formex.find_root(root) if root.tag != "ANNEX" else None
    corrigendum = _CORRIGENDUM.search(file.name)
    if root.tag == "CORR" or (act is not None and corrigendum is not None):
        if corrigendum is not None:
            _read_corrigendum(root, corrigendum, gathered)
        return None
    if act is None:
        _read_beside(root, file.name, gathered)
        return None
    text = formex.read_act(act, _find_celex(file.name), file.name)
    if text is None or (not text.units and text.repealed_by is None):
        raise RejectedFile(file.name, "it holds no article, or its CELEX number cannot be told")
    text.excerpt = _EXCERPT.search(file.name) is not None
    gathered.bundles.note_calls(act, file.name)
    gathered.bundles.acts.append(text)
    gathered.texts.setdefault((text.celex, text.language), []).append(text)
    return None


def _read_beside(root: etree._Element, name: str, gathered: _Gathered) -> None:
    """What goes with an act in a publication."""
    if root.tag == "ANNEX":
        gathered.bundles.add_annex(root, name)
    elif root.tag == "DOC":
        gathered.bundles.note_list(root, name)
    elif root.tag not in _NO_ACTS:
        raise RejectedFile(name, f"its root {root.tag} is no act that is known here")


def _read_corrigendum(root: etree._Element, name: re.Match[str], gathered: _Gathered) -> None:
    """A corrigendum corrects its language alone."""
    day = root.find("BIB.INSTANCE/DATE")
    read = list(list_corrections(root))
    corrigendum = Corrigendum(
        name[1],
        f"{name[1]}R({name[2]})",
        (root.findtext(".//LG.DOC") or "DE").lower(),
        read_day(day.get("ISO")) if day is not None else None,
        (cite_journal(root) or "")[:_LONGEST_NAME] or None,
        tuple(each for each in read if isinstance(each, Correction)),
        [each for each in read if isinstance(each, str)],
    )
    gathered.corrigenda.setdefault((name[1], corrigendum.language), []).append(corrigendum)


# A table of contents, an answer of the search.
_NO_ACTS = frozenset({"PUBLICATION", "{http://www.w3.org/2003/05/soap-envelope}Envelope"})


def _read_page(file: SourceFile, gathered: _Gathered) -> None:
    if _CONSOLIDATED_PAGE in file.data:
        reason = "a consolidated page without the Formex file of the act"
        gathered.unread.append(Rejected(file.name, reason))
        return
    celex = _find_celex(file.name) or _find_celex(file.data[:4_000].decode("utf-8", "replace"))
    if celex is None or not eurlex_html.looks_like_act(file.data):
        reason = "it is no page of an EU act, or has no CELEX number"
        gathered.unread.append(Rejected(file.name, reason))
        return
    tree = html.fromstring(file.data, parser=html.HTMLParser(encoding="utf-8"))
    language = "de" if _GERMAN_PAGE.search(file.data[:400] + file.name.encode()) else "en"
    draft = ActText(celex, language, "", None, None, None, [], file.name)
    draft.excerpt = _EXCERPT.search(file.name) is not None
    text = eurlex_html.read_act(tree, draft)
    read_description(tree, text)
    if not text.units:
        raise RejectedFile(file.name, "no article was found in it")
    gathered.texts.setdefault((text.celex, text.language), []).append(text)


def _find_celex(name: str) -> str | None:
    found = _CELEX.search(name)
    if found is None:
        return None
    number = found[1].removesuffix("-TXT").partition("-")[0]
    if number[0] == "1":
        return _TREATIES.get(number[-1])
    return "3" + number[1:]


def _build_all(gathered: _Gathered, held: Editions) -> Iterator[ParsedAct | Rejected]:
    beside = (*gathered.bundles.annexes, *gathered.bundles.unread)
    numbers = {name: _find_celex(name) for name in beside}
    found = [text for texts in gathered.texts.values() for text in texts]
    yield from join(gathered.bundles, numbers, found)
    read = {_get_version(text.name) for text in found}
    yield from (page for page in gathered.unread if _get_version(page.name) not in read)
    for texts in gathered.texts.values():
        for text in texts:
            _date(text, gathered)
    _publish(gathered)
    yield from _list_alone(gathered)
    german = {celex for celex, language in (*gathered.texts, *held) if language == "de"}
    for (celex, language), texts in sorted(gathered.texts.items()):
        past = yield from _drop_coming(_drop_doubles(texts))
        second = language != "de" and celex in german
        if past and not held and not any(text.units for text in past):
            yield Rejected(past[-1].name, "the act is repealed, and no text with words is there")
        elif past:
            corrigenda = gathered.corrigenda.get((celex, language), [])
            corrigenda.sort(key=lambda one: (one.issued_on or date.min, one.number))
            yield from _apply(past, corrigenda)
            if not held:
                yield from _build(past, corrigenda, second=second)
                continue
            for text in sorted(past, key=lambda one: one.consolidated_on or date.min):
                wrong = _find_mistake(text, held)
                if wrong is not None:
                    yield Rejected(text.name, wrong)
                else:
                    yield from _build([text], corrigenda, second=second)


def _list_alone(gathered: _Gathered) -> Iterator[Rejected]:
    """Corrigenda that nothing was corrected by: they come with the act, or are of no use."""
    read = {celex for celex, _ in gathered.texts}
    for (celex, _), corrigenda in sorted(gathered.corrigenda.items()):
        for corrigendum in corrigenda if celex not in read else ():
            reason = f"it corrects {celex}, which is not among the files: give both"
            yield Rejected(corrigendum.number, reason)


def _publish(gathered: _Gathered) -> None:
    """The day of the Journal of each act, as its newest text has it that names one.

    Texts in the same language come first, and before those who cite that issue.
    """
    acts: dict[str, list[ActText]] = {}
    for (celex, _), texts in gathered.texts.items():
        acts.setdefault(celex, []).extend(texts)
    for texts in acts.values():
        cited = _find_cited(gathered, texts)
        by_others = min(cited) if len(cited) == 1 else None
        texts.sort(key=lambda text: text.consolidated_on or date.min)
        own = {text.language: text.published_on for text in texts if text.published_on is not None}
        newest = next((t.published_on for t in reversed(texts) if t.published_on), by_others)
        for text in texts:
            text.published_on = own.get(text.language, newest)


def _find_cited(gathered: _Gathered, texts: Iterable[ActText]) -> set[date]:
    issues = filter(None, (_ISSUE.match(text.publication or "") for text in texts))
    keys = {(each["series"], int(each["number"]), int(each["year"])) for each in issues}
    return {day for key in keys for day in gathered.journals.get(key, ())}


def _find_mistake(text: ActText, held: Editions) -> str | None:
    """Why a text is not the later one that was asked for: what is held would be lost for it."""
    if (text.celex, text.language) not in held:
        return f"it is {text.celex} in {text.language}, of which no text is held to go on from"
    folder = text.name.rpartition("/")[0].rpartition("/")[2]
    day = text.consolidated_on.isoformat() if text.consolidated_on else None
    if (day or _PUBLISHED) == folder:
        return None
    return f"it is the text of {day or 'the act as published'}, asked for was {folder}"


def _get_version(name: str) -> tuple[str, str | None]:
    """The folder of one version, ``32006L0112/2010-01-15`` of all files in it, and the act."""
    folder = name.rpartition("/")[0]
    if folder.endswith(".fmx4"):
        folder = folder.rpartition("/")[0]
    return folder, _find_celex(name)


def _drop_doubles(texts: Iterable[ActText]) -> list[ActText]:
    """One text of a day, as published or consolidated: the fullest, the first of equals.

    Of those with as many provisions one without gaps is fuller.
    """
    kept: dict[tuple[date | None, bool], ActText] = {}
    for text in texts:
        day = text.consolidated_on, text.excerpt
        if day not in kept or _measure(text) > _measure(kept[day]):
            kept[day] = text
    return list(kept.values())


def _measure(text: ActText) -> tuple[int, bool]:
    return len(text.units), not text.has_gaps


def _apply(texts: list[ActText], corrigenda: Iterable[Corrigendum]) -> Iterator[Rejected]:
    """Put the corrigenda, oldest first, into the Official Journal's own text.

    A consolidated text of a later day has them already. One that cannot be applied is announced as
    a whole, and changes nothing.
    """
    for corrigendum in corrigenda:
        for place, text in enumerate(texts):
            if text.consolidated_on is not None:
                continue
            corrected = deepcopy(text)
            try:
                with limited():
                    correct(corrected, corrigendum)
            except Exception as error:  # noqa: BLE001 one corrigendum must not end the build
                corrigendum.corrections, corrigendum.open_places = (), []
                yield Rejected(corrigendum.number, tell_failure(error))
                break
            texts[place] = corrected


def _drop_coming(texts: Iterable[ActText]) -> Generator[Rejected, None, list[ActText]]:
    """The texts whose day has come: by another, what is in force today would be the past."""
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)  # clocks differ
    past = []
    for text in texts:
        day = text.consolidated_on or text.issued_on
        if day is not None and day > tomorrow:
            reason = f"it is the text of {day.isoformat()}, a day still to come"
            yield Rejected(text.name, reason)
        else:
            past.append(text)
    return past


def _build(
    texts: Sequence[ActText], corrigenda: Sequence[Corrigendum], *, second: bool
) -> Iterator[ParsedAct | Rejected]:
    """The act; a text that is of no use is left out, and takes no other with it."""
    try:
        with limited():
            act = build_edition(texts, corrigenda, second=second)
    except Exception as error:  # noqa: BLE001 one act must not end the build
        usable = []
        if len(texts) > 1:
            for text in texts:
                [alone] = _build([text], corrigenda, second=second)
                if isinstance(alone, Rejected):
                    yield alone
                else:
                    usable.append(text)
        if len(texts) == 1 or len(usable) == len(texts):
            yield Rejected(texts[-1].name, tell_failure(error))
        elif usable:
            yield from _build(usable, corrigenda, second=second)
    else:
        yield act


def _date(text: ActText, gathered: _Gathered) -> None:
    """Day and title from the description that stands beside a page."""
    folder = text.name.rpartition("/")[0]
    described = gathered.days.get(folder) or gathered.days.get(folder.rpartition("/")[0])
    if described is None:
        return
    if text.consolidated_on is None and text.issued_on is None:
        text.issued_on = described.day
    text.title = text.title or described.title
    text.seen_on = described.seen_on
    text.is_ended = described.is_ended
