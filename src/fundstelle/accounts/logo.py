"""The firm's logo, which the pages show in their head: kept here, so that all replicas have it.

An image is taken as it is and never decoded: its first bytes say whether it is a PNG or a JPEG, and
how large. It is served under that type alone, so that no browser reads anything else into it.
"""

import base64
from dataclasses import asdict, dataclass
from hashlib import sha256

from sqlalchemy import delete, insert, select

from fundstelle.accounts.database.locks import Turn, take_turn
from fundstelle.accounts.database.schema_people import policies
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.names import NAME_CHARS, is_name, tidy_name
from fundstelle.errors import InvalidArgument

MOST_BYTES = 200 * 1024
SIDES = (16, 2_000)  # of an image in pixels, both inclusive

_MARK, _IMAGE = "logo", "logo_image"
_MARK_CHARS = 32  # of the hash
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # markers that tell the size (T.81 B.2)
_BARE = frozenset({0x01, *range(0xD0, 0xD8)})  # markers without a length (T.81 table B.1)


@dataclass(frozen=True, slots=True)
class Logo:
    """What pages know of the logo: whose it is, its type and its size in pixels.

    ``mark`` changes with the image: the beginning of its SHA-256.
    """

    name: str
    kind: str
    width: int
    height: int
    mark: str


@dataclass(frozen=True, slots=True)
class Image:
    """A logo as it is served."""

    mark: str
    kind: str
    data: bytes


class Logos:
    """The logo in the database; there is one or none."""

    def __init__(self, store: AccountsStore) -> None:
        self._store = store
        self._image: Image | None = None  # the last one read

    def find(self) -> Logo | None:
        """What there is."""
        found = self._find_value(_MARK)
        return Logo(**found) if isinstance(found, dict) else None

    def recall(self, mark: str) -> Image | None:
        """The image of that mark, if it is the last one read: the database is not asked."""
        image = self._image
        return image if image is not None and image.mark == mark else None

    def read(self, mark: str) -> Image | None:
        """The image of that mark, if it is the one shown."""
        logo = self.find()
        if logo is None or logo.mark != mark:
            return None
        stored = self._find_value(_IMAGE)
        if not isinstance(stored, str):
            return None
        self._image = Image(mark, logo.kind, base64.b64decode(stored))
        return self._image

    def write(self, name: str, image: bytes) -> None:
        """Show this one.

        Raises:
            InvalidArgument: nobody is named, or it is no image of ours (``field`` says which).
        """
        name = tidy_name(name)
        if not is_name(name):
            raise InvalidArgument(f"name the firm in 1 to {NAME_CHARS} characters", field="name")
        kind, width, height = read_image(image)
        logo = Logo(name, kind, width, height, sha256(image).hexdigest()[:_MARK_CHARS])
        values: dict[str, object] = {_MARK: asdict(logo), _IMAGE: base64.b64encode(image).decode()}
        self._replace(values)

    def remove(self) -> None:
        """Show none."""
        self._replace({})

    def _replace(self, values: dict[str, object]) -> None:
        rows = [{"name": key, "value": each, "is_secret": False} for key, each in values.items()]
        self._image = None
        with self._store.write() as connection:
            take_turn(connection, Turn.POLICIES)
            connection.execute(delete(policies).where(policies.c.name.in_((_MARK, _IMAGE))))
            if rows:
                connection.execute(insert(policies), rows)

    def _find_value(self, name: str) -> object:
        with self._store.read() as connection:
            query = select(policies.c.value).where(policies.c.name == name)
            return connection.execute(query).scalar_one_or_none()


def read_image(data: bytes) -> tuple[str, int, int]:
    """Media type, width and height of a PNG or JPEG, as its head has them.

    Source: PNG (third edition) §11.2.1; JPEG, ITU-T T.81 annex B.

    Raises:
        InvalidArgument: it is neither, or too large.
    """
    if len(data) > MOST_BYTES:
        raise InvalidArgument(f"a logo has {MOST_BYTES} bytes at most", field="logo")
    kind, size = "", None
    if data.startswith(_PNG) and data[12:16] == b"IHDR" and len(data) >= 24:
        kind = "image/png"
        size = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    elif data.startswith(_JPEG):
        kind, size = "image/jpeg", _find_jpeg_size(data)
    if size is None:
        raise InvalidArgument("a logo is a PNG or a JPEG", field="logo")
    low, high = SIDES
    if not all(low <= side <= high for side in size):
        text = f"each side of a logo has {low} to {high} pixels"
        raise InvalidArgument(text, field="logo")
    return kind, *size


def _find_jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the first frame header; every step goes on by two bytes at least."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAMES:
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        if marker == 0xFF:  # filling
            at += 1
        elif marker in _BARE:
            at += 2
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4]))
    return None
