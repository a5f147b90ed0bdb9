"""The sentences that a build has learned from, kept for the next one that would choose the same.

```text
<hex>                          what they were chosen with: the guard, the labelled sentences
[source, text, cited, collection]    a sentence a line, cited by ordinals
```
"""

import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from fundstelle.ingest.ranking import labelled
from fundstelle.search.index import CitingSentence

FILE = "chosen.jsonl.gz"  # in the folder of a build

_LEVEL = 1  # it is read once by each update


def write(
    sentences: list[CitingSentence], database: Path, guard: Iterable[Path]
) -> list[CitingSentence]:
    """Keep the sentences beside the database of a build; gives them back."""
    path = database.with_name(FILE)
    with path.open("xb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed:
        packed.write(f"{_hash_conditions(database, guard)}\n".encode())
        for one in sentences:
            row = [one.source, one.text, one.cited, one.collection]
            packed.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return sentences


def read(database: Path, guard: Iterable[Path]) -> list[CitingSentence] | None:
    """Those beside the database of a build, if they were chosen with the same."""
    path = database.with_name(FILE)
    if not path.is_file():
        return None
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        if next(lines, "").strip() != _hash_conditions(database, guard):
            return None
        rows = map(json.loads, lines)
        return [CitingSentence(of, text, tuple(cited), name) for of, text, cited, name in rows]


def _hash_conditions(database: Path, guard: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in (*guard, database.with_name(labelled.FILE)):
        data = path.read_bytes() if path.is_file() else b""
        digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()
