"""Forms as they are sent: read within bounds, and only in the encoding that the page uses."""

import logging
from base64 import b64encode
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import parse_qsl

from python_multipart import parse_form
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field, File, parse_options_header
from starlette.requests import Request

# It would write words that a stranger has sent.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)

_MOST_FIELDS = 100
_MOST_KIND_CHARS = 200  # of a content type with its boundary, which has 70 at most (RFC 2046)
_KIND = "application/x-www-form-urlencoded"
_WITH_FILE = "multipart/form-data"


@dataclass(frozen=True, slots=True)
class FormLimits:
    """What a form may have.

    Args:
        size_bytes: of all of it, as it is sent.
        field_chars: of a field, the end of a line as one, as a browser counts what may be typed;
            combining marks are normalised in the square of their number.
        escapes: in all; each costs as much to read as hundreds of letters.
        file_bytes: of a file, for a form that has one, which is sent as multipart; 0 = none.
    """

    size_bytes: int = 64 * 1024
    field_chars: int = 6_000
    escapes: int = 4_000
    file_bytes: int = 0


_USUAL = FormLimits()


def read_number(text: str, most: int) -> int | None:
    """A whole number from 0 to ``most`` in plain digits, ``None`` if it is something else."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    return int(text) if is_number and int(text) <= most else None


class FormRefused(Exception):
    """No form of ours looks like this. ``status`` is the answer's."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


async def read_form(request: Request, limits: FormLimits = _USUAL) -> dict[str, str]:
    """Text fields; the first of a name counts. Multipart is refused before it is parsed.

    Of a form with a file its bytes come under the name of its field, in base64.

    Raises:
        FormRefused: more bytes or fields than any of our forms has, another encoding, or
            characters that no field can hold.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > limits.size_bytes:
            raise FormRefused(413)
    if not body:
        return {}
    header = request.headers.get("content-type", "")
    if len(header) > _MOST_KIND_CHARS:  # each of its parameters costs as hundreds of letters do
        raise FormRefused(415)
    kind = header.partition(";")[0].strip().lower()
    if limits.file_bytes:
        if kind != _WITH_FILE:
            raise FormRefused(415)
        return _read_parts(header, bytes(body), limits)
    if body.count(b"%") > limits.escapes:
        raise FormRefused(413)
    if kind != _KIND:
        raise FormRefused(415)
    return _read_fields(bytes(body), limits)


def _read_fields(body: bytes, limits: FormLimits) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            body.decode("utf-8"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise FormRefused(400) from None
    if any("\0" in name or "\0" in value for name, value in pairs):
        raise FormRefused(400)
    if any(len(value) - value.count("\r\n") > limits.field_chars for _, value in pairs):
        raise FormRefused(413)
    form: dict[str, str] = {}
    for name, value in pairs:
        form.setdefault(name, value)
    return form


def _read_parts(content_type: str, body: bytes, limits: FormLimits) -> dict[str, str]:
    """A form with a file (RFC 7578).

    Raises:
        FormRefused: it is not well-formed, or has too much.
    """
    form: dict[str, str] = {}
    sizes: list[int] = []

    def take_field(field: Field) -> None:
        text = (field.value or b"").decode("utf-8")
        sizes.append(len(text) - limits.field_chars)
        form.setdefault((field.field_name or b"").decode("utf-8"), text)

    def take_file(file: File) -> None:
        file.file_object.seek(0)
        data = file.file_object.read(limits.file_bytes + 1)
        sizes.append(len(data) - limits.file_bytes)
        form.setdefault((file.field_name or b"").decode("utf-8"), b64encode(data).decode())

    headers = {"Content-Type": content_type.encode("latin-1")}
    _, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    # before it is parsed: a part costs as much as thousands of letters
    if body.count(b"--" + boundary) > _MOST_FIELDS + 1:
        raise FormRefused(413)
    try:
        parse_form(headers, BytesIO(body), take_field, take_file)
    except (FormParserError, ValueError):
        raise FormRefused(400) from None
    if len(sizes) > _MOST_FIELDS or any(size > 0 for size in sizes):
        raise FormRefused(413)
    if any("\0" in text for pair in form.items() for text in pair):
        raise FormRefused(400)
    return form
