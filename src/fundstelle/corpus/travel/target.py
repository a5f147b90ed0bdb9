"""Where shipments lie between the machine that makes builds and those that serve them.

```text
<target>/objects/<sha256>         a chunk of a file, named after its bytes; never changed
<target>/releases/<release>.json  which files a build has, and of which chunks (shipment)
<target>/next                     the release that replicas are to have ready, one line
<target>/live                     the release that they are to serve, one line
```
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from fundstelle.corpus.travel.shipment import (
    MOST_RECORD_BYTES,
    Shipment,
    dump_shipment,
    is_release,
    load_shipment,
)
from fundstelle.errors import CorpusError

LIVE, NEXT = "live", "next"
OBJECTS, RELEASES = "objects", "releases"

_POINTER_BYTES = 64


@dataclass(frozen=True, slots=True)
class Held:
    """What lies at a target under a name."""

    name: str
    size: int  # bytes
    modified: float  # when it was put there, seconds since 1970


class Target(Protocol):
    """Keeps bytes under names with ``/``: a folder, a bucket."""

    @property
    def address(self) -> str:
        """What people call it; without passwords."""

    def read(self, name: str, most: int) -> bytes | None:
        """What lies there, ``None`` if nothing does.

        Raises:
            CorpusError: it has more than ``most`` bytes, or cannot be read.
        """

    def measure(self, name: str) -> int | None:
        """The bytes of what lies there, ``None`` if nothing does.

        Raises:
            CorpusError: the target cannot be asked.
        """

    def write(self, name: str, data: bytes) -> None:
        """Put it there in one step: whoever reads has all of it, or what was there before.

        Raises:
            CorpusError: it cannot be written.
        """

    def iter_held(self, folder: str) -> Iterator[Held]:
        """What lies directly in ``objects`` or ``releases``, in any order, however much that is.

        What is deleted meanwhile may be missing.

        Raises:
            CorpusError: the target cannot be asked.
        """

    def delete(self, name: str) -> None:
        """Delete what ``iter_held`` has named, for good; nothing if it is gone.

        Raises:
            CorpusError: it cannot be deleted.
        """


def name_object(sha256: str) -> str:
    """Where a chunk lies."""
    return f"{OBJECTS}/{sha256}"


def read_release(target: Target, pointer: str) -> str | None:
    """The release that ``live`` or ``next`` names, ``None`` if there is no such file yet.

    Raises:
        CorpusError: it names no release, or cannot be read.
    """
    data = target.read(pointer, _POINTER_BYTES)
    if data is None:
        return None
    release = data.decode("ascii", "replace").strip()
    if not is_release(release):
        raise CorpusError(
            f"{pointer!r} of {target.address} names no release; 'fundstelle build push --live'"
            " writes it anew"
        )
    return release


def write_release(target: Target, pointer: str, release: str) -> None:
    """Let ``live`` or ``next`` name a release that lies at the target whole.

    Raises:
        CorpusError: there is no such release, or it cannot be written.
    """
    read_shipment(target, release)
    target.write(pointer, f"{release}\n".encode())


def read_shipment(target: Target, release: str) -> Shipment:
    """What a release at the target consists of.

    Raises:
        CorpusError: it is not there, cannot be read, or is no shipment of that release.
    """
    name = name_record(release)
    data = target.read(name, MOST_RECORD_BYTES)
    if data is None:
        raise CorpusError(
            f"there is no release {release} at {target.address}; send it with"
            f" 'fundstelle build push'"
        )
    shipment = load_shipment(data, f"{name} of {target.address}")
    if shipment.release != release:
        raise CorpusError(
            f"{name} of {target.address} is of release {shipment.release}; push {release} again"
        )
    return shipment


def write_shipment(target: Target, shipment: Shipment) -> None:
    """Say that a release lies at the target: the last thing to be written of it.

    Raises:
        CorpusError: it cannot be written.
    """
    target.write(name_record(shipment.release), dump_shipment(shipment))


def name_record(release: str) -> str:
    """Where it stands which files a release has.

    Raises:
        CorpusError: it has not the form of a release.
    """
    if not is_release(release):
        raise CorpusError(f"{release!r} is no release; 'fundstelle corpus list' names them")
    return f"{RELEASES}/{release}.json"
