"""What a person carries in: which snapshots of laws and which collections lie at a path.

A folder may be one snapshot (``laws/<slug>/BJNR….xml``), one law, or a series of snapshots as
archives and folders beside each other, with collections by the names that the registry gives them.
"""

import os
import re
from pathlib import Path

from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import Confirmation, LawHistory, read_confirmation
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources.courts import conll
from fundstelle.ingest.sources.files.archives import (
    SUFFIXES,
    ArchiveSnapshot,
    FileSnapshot,
    FolderSnapshot,
    list_files,
)
from fundstelle.ingest.sources.files.limits import MOST_DOCUMENTS
from fundstelle.ingest.sources.registry import FEDERAL_LAW, find_collection

_DOCUMENTS = (".xml", ".xhtml", ".html", ".htm", ".json", ".jsonl", ".txt")


HISTORY = "gii-xml-history"  # how archives of versions are called
_HIDDEN = (".", "__MACOSX")
_LAW_FILE = re.compile(r"BJNR.*\.xml")
_NAMED = 3


def find_history(path: Path) -> list[LawHistory | Confirmation]:
    """Versions of laws and looks that confirmed some: an archive, a list, or a folder of them.

    Raises:
        SourceError: there is nothing of the kind.
    """
    children = sorted(path.iterdir()) if path.is_dir() else [path]
    found: list[LawHistory | Confirmation] = []
    for child in children:
        if child.name.endswith(SUFFIXES) and (child == path or child.name.startswith(HISTORY)):
            _check_regular(child)
            found.append(LawHistory(ArchiveSnapshot(child, FEDERAL_LAW.url)))
        elif (confirmation := read_confirmation(child, FEDERAL_LAW.url)) is not None:
            found.append(confirmation)
    if not found:
        raise SourceError(f"{path} holds neither {HISTORY}….tar.zst nor confirmed-<day>.txt")
    return found


def find_snapshots(path: Path) -> list[Snapshot]:
    """The snapshots at ``path``: an archive, a folder, one law, or a folder of snapshots.

    Raises:
        SourceError: there is nothing of the kind.
    """
    if find_collection(path.resolve().name):
        return []
    if not path.is_dir():
        return [_open_file(path)]
    if _is_snapshot(path):
        return [FolderSnapshot(path, FEDERAL_LAW.url)]
    inside = _find_series(path)
    if inside or find_collections(path):
        _require_all_read(path, inside)
        return _without_copies(inside)
    if any(list_files(path)):
        return [FolderSnapshot(path, FEDERAL_LAW.url)]
    raise SourceError(f"{path} holds neither laws nor an archive gii-….tar.zst")


def has_history(path: Path) -> bool:
    """Whether there is something for ``find_history``, by its name."""
    children = path.iterdir() if path.is_dir() else [path]
    return any(child.name.startswith((HISTORY, "confirmed-")) for child in children)


def _open_file(path: Path) -> Snapshot:
    if not path.is_file():
        raise SourceError(f"{path} does not exist; name a folder, an archive or a URL")
    if path.name.endswith(SUFFIXES):
        return ArchiveSnapshot(path, FEDERAL_LAW.url)
    if path.suffix == ".xml":
        return FileSnapshot(path, FEDERAL_LAW.url)
    raise SourceError(f"{path} is not an archive; known are {', '.join(SUFFIXES)}")


def find_collections(path: Path) -> list[Collection]:
    """The collections of documents at ``path``, by the names of files and folders.

    Raises:
        SourceError: one of them is an empty folder, or no file at all.
    """
    children = sorted(path.iterdir()) if path.is_dir() else []
    own = _open_collection(path)
    found = [own] if own else [c for child in children if (c := _open_collection(child))]
    folders = {c.files.name for c in found if isinstance(c.files, FolderSnapshot)}
    return [
        c
        for c in found
        if isinstance(c.files, FolderSnapshot) or _name_unpacked(c.files.name) not in folders
    ]


def _open_collection(path: Path) -> Collection | None:
    source = find_collection(path.name)
    if source is None:
        return None
    if path.is_dir():
        if not any(list_files(path, (*_DOCUMENTS, conll.SUFFIX))):
            # read as it stands it would take every document of its kind out of the next build
            raise SourceError(f"the folder {path} is empty: mount or fill it, or take it away")
        files: ArchiveSnapshot | FolderSnapshot = FolderSnapshot(path, source.url, _DOCUMENTS)
    elif path.name.endswith(SUFFIXES):
        _check_regular(path)
        files = ArchiveSnapshot(path, source.url, _DOCUMENTS, most=MOST_DOCUMENTS)
    else:
        return None
    return Collection(source, files)


def _is_snapshot(path: Path) -> bool:
    return any((path / name).exists() for name in ("laws", "gii-toc.xml", "snapshot.json")) or any(
        path.glob("BJNR*.xml")
    )


def _find_series(folder: Path) -> list[Snapshot]:
    found: list[Snapshot] = []
    for child in sorted(folder.iterdir()):
        if child.is_dir() and _is_snapshot(child):
            found.append(FolderSnapshot(child, FEDERAL_LAW.url))
        elif child.name.startswith(HISTORY):
            continue
        elif child.name.startswith(FEDERAL_LAW.begins) and child.name.endswith(SUFFIXES):
            _check_regular(child)
            found.append(ArchiveSnapshot(child, FEDERAL_LAW.url))
    return found


def _require_all_read(folder: Path, found: list[Snapshot]) -> None:
    """See that nothing in a series is passed over that holds laws in another form.

    Raises:
        SourceError: such a thing is there.
    """
    names = {snapshot.name for snapshot in found}
    left = [
        child.name
        for child in sorted(folder.iterdir())
        if child.name not in names
        and not child.name.startswith((HISTORY, *_HIDDEN))
        and find_collection(child.name) is None
        and _holds_laws(child)
    ]
    if left:
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        raise SourceError(
            f"{folder} holds {', '.join(left[:_NAMED])}{more} beside snapshots of laws, and what"
            " these are is not plain: put laws in one form (<slug>/BJNR….xml or <slug>/xml.zip)"
            f" into a folder of their own, name archives of them {FEDERAL_LAW.begins[0]}…, or take"
            " them away"
        )


def _holds_laws(path: Path) -> bool:
    """Whether a folder or file may be a law or an archive of laws, by its names."""
    names = (name for _, _, inside in os.walk(path) for name in inside)
    return any(
        name.endswith(SUFFIXES) or name == "xml.zip" or _LAW_FILE.fullmatch(name)
        for name in ([path.name] if path.is_file() else names)
    )


def _without_copies(snapshots: list[Snapshot]) -> list[Snapshot]:
    """An archive beside its own unpacked folder is the same snapshot once more."""
    folders = {s.name for s in snapshots if isinstance(s, FolderSnapshot)}
    return [
        s
        for s in snapshots
        if not (isinstance(s, ArchiveSnapshot) and _name_unpacked(s.name) in folders)
    ]


def _name_unpacked(archive: str) -> str:
    """What the folder is called that an archive was packed from: its name without the suffix."""
    return next(archive.removesuffix(end) for end in SUFFIXES if archive.endswith(end))


def _check_regular(path: Path) -> None:
    """See that an archive is a file: a pipe would be waited for, a broken link is one missing."""
    if not path.is_file():
        raise SourceError(f"{path} is no file that can be read; mend or remove it")
