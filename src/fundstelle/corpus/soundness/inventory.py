"""What a build consists of: every file with its size and hash, and the manifest's own hash.

```text
manifest.json     names all files but itself, its checksum and the vectors
manifest.sha256   "<hex>  manifest.json": for ``sha256sum -c``
index/vectors/    grows beside a running server and keeps hashes of its own (search.vector_sums)
```
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from fundstelle.corpus.manifest import FILE_NAME, FileState

CHECKSUM = "manifest.sha256"
VECTORS = "index/vectors"
COUNTING = "ordinals.u32"
"""The file of the vectors that says how many rows count: of each batch it is written last."""

_CHUNK = 1 << 20
# tantivy makes and leaves these, empty, wherever it opens an index.
_LOCKS = frozenset({".tantivy-meta.lock", ".tantivy-writer.lock"})
_OWN = frozenset({FILE_NAME, CHECKSUM})


def take_inventory(folder: Path) -> tuple[FileState, ...]:
    """Size and hash of each file of a finished build, by name.

    Raises:
        OSError: one cannot be read.
    """
    return tuple(
        FileState(name, path.stat().st_size, hash_file(path)) for name, path in list_files(folder)
    )


def list_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Whatever lies in a build's folder and is no folder, by name, the vectors left out."""
    found = []
    for parent, folders, names in os.walk(folder):
        place = Path(parent)
        folders[:] = [
            one for one in folders if not _is_vectors((place / one).relative_to(folder).as_posix())
        ]
        # A link to a folder is walked past, and belongs to no build.
        links = [one for one in folders if (place / one).is_symlink()]
        for name in (*names, *links):
            path = place / name
            found.append((path.relative_to(folder).as_posix(), path))
    for name, path in sorted(found):
        if is_counted(name):
            yield name, path


def is_counted(name: str) -> bool:
    """Whether a manifest names a file of this name, relative to the build, if it is of the build.

    It does not name itself, its checksum, the vectors and the locks of an open index.
    """
    folder, _, last = name.rpartition("/")
    return name not in _OWN and last not in _LOCKS and not _is_vectors(folder)


def hash_file(path: Path, advance: Callable[[int], None] = lambda _: None) -> str:
    """SHA-256 of a file, read in pieces; ``advance`` is told the bytes of each."""
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while piece := file.read(_CHUNK):
            digest.update(piece)
            advance(len(piece))
    return digest.hexdigest()


def sum_manifest(data: bytes) -> bytes:
    """The checksum of a manifest as its file holds it."""
    return f"{hashlib.sha256(data).hexdigest()}  {FILE_NAME}\n".encode()


def _is_vectors(folder: str) -> bool:
    """The vectors, or the folder that is about to take their place, or what is in them."""
    return f"{folder}/".startswith((f"{VECTORS}/", "index/.vectors-"))
