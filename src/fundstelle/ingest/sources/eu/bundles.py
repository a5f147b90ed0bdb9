"""The files that one edition of an act comes in: the Official Journal has each annex by itself.

Source: Formex manual, elements DOC (the list of a publication's files) with DOC.MAIN.PUB,
DOC.SUB.PUB and REF.PHYS, ANNEX, INCL.ELEMENT. A file that an INCL.ELEMENT calls for stands where
it is called for: it is what an act puts into another one, and no annex of the act.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.sources.eu.act import ActText, Unit, settle_annexes
from fundstelle.ingest.sources.eu.formex import read_annexes, read_language

_ANNEX = "ANNEX"
_DECLARATION = "ASSOCIATION"  # printed behind an act, and no part of it
_CALLED = 'INCL.ELEMENT[@TYPE="FORMEX.DOC"]'


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
        files = {_beside(name, each.get("FILEREF")) for each in root.iterfind(f".//{_CALLED}")}
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
    return f"{name.rpartition('/')[0]}/{(file or '').rpartition('/')[2]}"


def join(bundles: Bundles, numbers: Mapping[str, str | None]) -> Iterator[Rejected]:
    """Give each act its annexes; where a file of an act is missing or was not read, it has gaps.

    ``numbers`` are the CELEX numbers that the names of annexes and unread files bear.
    """
    owners = {text.name: text for text in bundles.acts}
    for file, text in _match(bundles, numbers):
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
    for file in {*bundles.unread, *bundles.annexes} - told - bundles.declarations - owners.keys():
        for text in _list_around(bundles.acts, file, numbers):
            text.has_gaps = True


def _match(bundles: Bundles, numbers: Mapping[str, str | None]) -> Iterator[tuple[str, ActText]]:
    """Each annex with its act: as a list has them, else by name beside an act without a list."""
    listed = {file for files in bundles.listed.values() for file in files} | bundles.called
    for text in bundles.acts:
        for file in bundles.listed.get(text.name, ()):
            if file in bundles.annexes and file not in bundles.called:
                yield file, text
    without = [
        text
        for text in bundles.acts
        if text.name not in bundles.listed and text.consolidated_on is None
    ]
    for file in sorted(bundles.annexes.keys() - listed):
        language = bundles.annexes[file].language
        found = [
            text
            for text in _list_around(without, file, numbers)
            if language in {None, text.language}
        ]
        if len(found) == 1:
            yield file, found[0]


def _list_around(
    acts: Iterable[ActText], file: str, numbers: Mapping[str, str | None]
) -> list[ActText]:
    """The acts in the folder of a file that it may belong to."""
    folder = file.rpartition("/")[0]
    return [
        text
        for text in acts
        if text.name.rpartition("/")[0] == folder and numbers[file] in {None, text.celex}
    ]
