"""The files that one edition of an act comes in: the Official Journal has each annex by itself.

Source: Formex manual, elements DOC (the list of a publication's files) with DOC.MAIN.PUB,
DOC.SUB.PUB and REF.PHYS, ANNEX, INCL.ELEMENT. A file that an INCL.ELEMENT calls for stands where
it is called for: it is what an act puts into another one, and no annex of the act.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from lxml import etree

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.sources.eu.act import ActText, Unit, settle_annexes
from fundstelle.ingest.sources.eu.formex import CALLED, find_root, read_annexes, read_language
from fundstelle.ingest.sources.eu.formex_caselaw import is_decision

_ANNEX = "ANNEX"
_DECLARATION = "ASSOCIATION"  # printed behind an act, and no part of it
_CORRIGENDUM = "CORR"
# What else an act is printed with in Formex; the schema tells of kinds that are not named here.
_PARTS = frozenset({_ANNEX, "AGR", "GENERAL", "LETTER"})
_CONSOLIDATED = "CONS."
_SCHEMA = "{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation"


@dataclass(frozen=True, slots=True)
class _Annexes:
    """What a file holds: an annex, with those that stand in it."""

    language: str | None
    units: list[Unit]


@dataclass(slots=True)
class Bundles:
    """Acts in Formex and what lies beside them; all files by their names with folder."""

    acts: list[ActText] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    foreign: set[str] = field(default_factory=set)  # part of no act, read or not
    annexes: dict[str, _Annexes] = field(default_factory=dict)
    listed: dict[str, list[str]] = field(default_factory=dict)  # the annexes of an act, in order
    needed: dict[str, set[str]] = field(default_factory=dict)  # what belongs to a file
    called: set[str] = field(default_factory=set)  # what stands inside other files
    declarations: set[str] = field(default_factory=set)

    def note_list(self, root: etree._Element, name: str) -> None:
        """Read a ``DOC``: which files belong to the publication of an act."""
        main = root.find("FMX/DOC.MAIN.PUB/REF.PHYS")
        if main is None:
            return
        act = _beside(name, main.get("FILE"))
        listed = self.listed.setdefault(act, [])
        for part in root.iterfind("FMX/DOC.SUB.PUB"):
            for place in part.iterfind("REF.PHYS"):
                file = _beside(name, place.get("FILE"))
                if part.get("TYPE") == _DECLARATION:
                    self.declarations.add(file)
                    continue
                self.needed.setdefault(act, set()).add(file)
                if part.get("TYPE") == _ANNEX and file not in listed:
                    listed.append(file)

    def note_calls(self, root: etree._Element, name: str) -> None:
        """Which files an act or annex calls for; none of them is read."""
        files = {_beside(name, each.get("FILEREF")) for each in root.iterfind(f".//{CALLED}")}
        if files:
            self.needed.setdefault(name, set()).update(files)
            self.called |= files

    def add_annex(self, root: etree._Element, name: str) -> None:
        """Read an ``ANNEX``.

        Raises:
            RejectedFile: annexes stand in each other without end.
        """
        self.annexes[name] = _Annexes(read_language(root), read_annexes(root, name))
        self.note_calls(root, name)


def _beside(name: str, file: str | None) -> str:
    """A file in the folder of another one."""
    return f"{_find_folder(name)}/{(file or '').rpartition('/')[2]}"


def may_be_part(root: etree._Element) -> bool:
    """Whether what cannot be read of a file may be words of an act that lies beside it.

    A judgment, a corrigendum and what is no Formex belong to the text of none.
    """
    if is_decision(root) or root.tag == _CORRIGENDUM:
        return False
    is_named = root.tag in _PARTS or str(root.tag).startswith(_CONSOLIDATED)
    return is_named or find_root(root) is not None or "formex" in root.get(_SCHEMA, "").lower()


def join(
    bundles: Bundles, numbers: Mapping[str, str | None], texts: Iterable[ActText]
) -> Iterator[Rejected]:
    """Give each act its annexes; where a file of an act is missing or was not read, it has gaps.

    ``numbers`` are the CELEX numbers that the names of annexes and unread files bear, ``texts`` all
    that were read, pages too.
    """
    listless = _Places(
        text
        for text in bundles.acts
        if text.name not in bundles.listed and text.consolidated_on is None
    )
    owners = {text.name: text for text in bundles.acts}
    for file, text in _match(bundles, numbers, listless):
        text.units = settle_annexes([*text.units, *bundles.annexes[file].units])
        owners[file] = text
    told: set[str] = set()  # of whom it is known whose they are
    for file, text in owners.items():
        needed = bundles.needed.get(file, set())
        text.has_gaps |= not needed <= owners.keys()
        told |= needed
    for file in bundles.annexes:
        if file in bundles.called:
            yield Rejected(file, "it stands inside another file, which is held without it")
        elif file not in owners:
            yield Rejected(file, "it is an annex, and of which act cannot be told")
    told |= bundles.declarations | owners.keys()
    loose = bundles.annexes.keys() - told
    for place in {
        (_find_folder(file), numbers[file], bundles.annexes[file].language) for file in loose
    }:
        for text in listless.get(*place):  # it is one of theirs
            text.has_gaps = True
    loose |= set(bundles.unread) - told
    _note_gaps(bundles.acts, texts, {(_find_folder(file), numbers[file]) for file in loose})


def _note_gaps(
    acts: Iterable[ActText], texts: Iterable[ActText], places: Iterable[tuple[str, str | None]]
) -> None:
    """Acts beside files that nobody read, given by their folder and the number that they bear.

    One without a number tells something of a folder that is that of one edition alone: in any other
    it may belong to an act that is not there, or to none.
    """
    editions: dict[str, set[tuple[str, date | None]]] = {}
    for text in texts:
        edition = text.celex, text.consolidated_on
        editions.setdefault(_find_folder(text.name), set()).add(edition)
    beside = _Places(acts)
    for folder, number in places:
        if number is not None or len(editions.get(folder, ())) == 1:
            for text in beside.get(folder, number):
                text.has_gaps = True


class _Places:
    """Acts by what a file beside them tells of its own: folder, number, language; ``None`` is any.

    A folder may hold thousands of acts and files.
    """

    def __init__(self, acts: Iterable[ActText]) -> None:
        self._acts: dict[tuple[str, str | None, str | None], list[ActText]] = {}
        for text in acts:
            for number in (text.celex, None):
                for language in (text.language, None):
                    place = _find_folder(text.name), number, language
                    self._acts.setdefault(place, []).append(text)

    def get(
        self, folder: str, number: str | None, language: str | None = None
    ) -> Sequence[ActText]:
        return self._acts.get((folder, number, language), ())


def _find_folder(name: str) -> str:
    return name.rpartition("/")[0]


def _match(
    bundles: Bundles, numbers: Mapping[str, str | None], listless: _Places
) -> Iterator[tuple[str, ActText]]:
    """Each annex with its act: as a list has them, else by name beside an act without a list."""
    listed = {file for files in bundles.listed.values() for file in files} | bundles.called
    for text in bundles.acts:
        for file in bundles.listed.get(text.name, ()):
            if file in bundles.annexes and file not in bundles.called:
                yield file, text
    for file in sorted(bundles.annexes.keys() - listed):
        language = bundles.annexes[file].language
        found = listless.get(_find_folder(file), numbers[file], language)
        if len(found) == 1:
            yield file, found[0]
