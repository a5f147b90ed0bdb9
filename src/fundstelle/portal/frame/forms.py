"""Forms as they are sent: read within bounds, and only in the one encoding that our pages use."""

from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request

_MOST_FIELDS = 100
_KIND = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class FormLimits:
    """What a form may have.

    Args:
        size_bytes: of all of it, as it is sent.
        field_chars: of a field; combining marks are normalised in the square of their number.
        escapes: in all; each costs as much to read as hundreds of letters.
    """

    size_bytes: int = 64 * 1024
    field_chars: int = 6_000
    escapes: int = 4_000


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
    if body.count(b"%") > limits.escapes:
        raise FormRefused(413)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _KIND:
        raise FormRefused(415)
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
    if any(len(value) > limits.field_chars for _, value in pairs):
        raise FormRefused(413)
    form: dict[str, str] = {}
    for name, value in pairs:
        form.setdefault(name, value)
    return form
