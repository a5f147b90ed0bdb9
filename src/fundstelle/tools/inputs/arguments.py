"""What a tool takes: one table of parameters gives its input schema and checks its arguments.

Schemas keep to the flat subset that every known client can read: no references, no unions, no
``null``, no exclusive bounds; what a keyword says is also said in words.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Any, Literal

from fundstelle.errors import InvalidArgument, InvalidFilter, InvalidInput

Kind = Literal["text", "number", "texts", "day", "choice", "choices"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool.

    ``low``/``high`` bound the length of a text (code points), the value of a number, the count of
    a list; ``item_high`` the length of each text of a list. ``is_filter`` says that a wrong
    choice is an ``InvalidFilter``. Of the ``choices`` that are read only those ``offered`` are
    named to clients; ``None`` = all. ``is_open``: clients may send the others, too.
    """

    name: str
    kind: Kind
    description: str
    example: Any
    required: bool = False
    default: Any = None
    low: int | None = None
    high: int | None = None
    item_high: int | None = None
    choices: tuple[str, ...] = ()
    is_filter: bool = False
    offered: tuple[str, ...] | None = None
    is_open: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """The choices that clients are told of."""
        return self.choices if self.offered is None else self.offered


def build_input_schema(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The ``inputSchema`` of a tool in the portable subset."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {each.name: _build_property(each) for each in parameters},
        "additionalProperties": False,
    }
    required = [each.name for each in parameters if each.required]
    if required:
        schema["required"] = required
    return schema


def read_arguments(parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter's value: as given (checked), else its default, else ``None``.

    A day is a ``datetime.date``; lists are lists. ``null`` and an empty optional text count as
    left out.

    Raises:
        InvalidArgument: a value is missing, malformed, out of range, or not a parameter.
        InvalidFilter: a filter names a value that does not exist.
    """
    values: dict[str, Any] = {}
    known = 0
    for parameter in parameters:
        name = parameter.name
        value = arguments.get(name)
        if value is None:
            if parameter.required:
                raise _wrong(parameter, "is required")
            known += name in arguments
            values[name] = parameter.default
        else:
            known += 1
            values[name] = _READERS[parameter.kind](parameter, value)
    if known != len(arguments):
        raise _unknown(parameters, arguments)
    return values


def _read_text(parameter: Parameter, value: Any) -> str | None:
    if not isinstance(value, str):
        raise _wrong(parameter, f"must be a text, not {_name_type(value)}")
    text = value.strip()
    if not text and not parameter.required:
        return parameter.default if isinstance(parameter.default, str) else None
    length = len(text)
    if (parameter.low or 0) > length or (parameter.high is not None and length > parameter.high):
        raise _wrong(parameter, f"must have {_say_range(parameter)} characters, not {length}")
    return text


def _read_number(parameter: Parameter, value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(parameter, f"must be a whole number such as 5, not {_name_type(value)}")
    if (parameter.low is not None and value < parameter.low) or (
        parameter.high is not None and value > parameter.high
    ):
        raise _wrong(parameter, f"must be {_say_range(parameter)}")
    return value


def _read_texts(parameter: Parameter, value: Any) -> list[str]:
    if not isinstance(value, list):
        raise _wrong(parameter, f"must be a list of texts, not {_name_type(value)}")
    count = len(value)
    if (parameter.low or 0) > count or (parameter.high is not None and count > parameter.high):
        raise _wrong(parameter, f"must have {_say_range(parameter)} entries, not {count}")
    for position, item in enumerate(value):
        if not isinstance(item, str):
            raise _wrong(parameter, f"entry {position} must be a text, not {_name_type(item)}")
        if parameter.item_high is not None and len(item) > parameter.item_high:
            longest = f"{parameter.item_high:,} characters"
            raise _wrong(
                parameter, f"entry {position} must have at most {longest}, not {len(item)}"
            )
    return value


def _read_day(parameter: Parameter, value: Any) -> date:
    if isinstance(value, Mapping):  # Copilot Studio sends dates as {"$kind": ..., "value": ...}
        value = value.get("value")
    day = parse_day(value) if isinstance(value, str) else None
    if day is None:
        raise _wrong(parameter, "must be an existing day written YYYY-MM-DD")
    return day


def parse_day(text: str) -> date | None:
    """An existing day written YYYY-MM-DD, ``None`` if it is something else."""
    # date.fromisoformat also takes week dates and dates without hyphens
    if len(text) == 10 and text[4] == text[7] == "-":
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    return None


def _read_choice(parameter: Parameter, value: Any) -> str:
    if isinstance(value, str):
        if value in parameter.choices:
            return value
        wanted = value.strip().casefold()
        for choice in parameter.choices:
            if choice.casefold() == wanted:
                return choice
        raise _wrong_choice(parameter, value)
    raise _wrong(parameter, f"must be a text, not {_name_type(value)}")


def _read_choices(parameter: Parameter, value: Any) -> list[str]:
    if not isinstance(value, list):
        raise _wrong(parameter, f"must be a list of texts, not {_name_type(value)}")
    chosen = list(dict.fromkeys(_read_choice(parameter, item) for item in value))
    if parameter.high is not None and len(chosen) > parameter.high:
        raise _wrong(parameter, f"must have {_say_range(parameter)} entries, not {len(chosen)}")
    return chosen


_READERS: dict[str, Callable[[Parameter, Any], Any]] = {
    "text": _read_text,
    "number": _read_number,
    "texts": _read_texts,
    "day": _read_day,
    "choice": _read_choice,
    "choices": _read_choices,
}


def wrong_filter(name: str, value: str, allowed: Sequence[str], example: str) -> InvalidFilter:
    """The error to raise for a filter value that only the corpus can know to be wrong."""
    advice = f"; use one of: {', '.join(allowed)}" if allowed else ""
    return InvalidFilter(
        f"{name}: {_shorten(value)} is not a known value{advice}",
        field=name,
        allowed_values=allowed,
        example=example,
    )


def _wrong(parameter: Parameter, problem: str) -> InvalidArgument:
    example = _say(parameter.example)
    return InvalidArgument(
        f"{parameter.name} {problem}; example: {example}",
        field=parameter.name,
        allowed_values=parameter.values,
        example=example,
    )


def _wrong_choice(parameter: Parameter, value: str) -> InvalidInput:
    if parameter.is_filter:
        known = parameter.choices if parameter.is_open else parameter.values
        return wrong_filter(parameter.name, value, known, _say(parameter.example))
    return _wrong(
        parameter, f"must be one of: {', '.join(parameter.values)}; not {_shorten(value)}"
    )


def _unknown(parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> InvalidArgument:
    names = [each.name for each in parameters]
    unknown = next(name for name in arguments if name not in names)
    near = get_close_matches(unknown[:60], names, n=3, cutoff=0.5)
    advice = f"did you mean {' or '.join(near)}?" if near else f"it takes {', '.join(names)}"
    return InvalidArgument(
        f"{_shorten(unknown)} is not an argument of this tool; {advice if names else 'none is'}",
        field=unknown[:60],
        allowed_values=names,
        example=near[0] if near else None,
    )


def _build_property(parameter: Parameter) -> dict[str, Any]:
    schema: dict[str, Any] = dict(_TYPES[parameter.kind])
    schema["description"] = _describe(parameter)
    is_closed = parameter.kind == "choice" and not parameter.is_open
    if is_closed and parameter.values:  # an empty enum is no schema
        schema["enum"] = list(parameter.values)
    if parameter.kind == "choices":
        schema["items"] = {"type": "string", "enum": list(parameter.values)}
    if parameter.kind == "texts":
        schema["items"] = {"type": "string"}
        if parameter.item_high is not None:
            schema["items"]["maxLength"] = parameter.item_high
    bounds = zip(_BOUNDS[parameter.kind], (parameter.low, parameter.high), strict=True)
    schema |= {keyword: bound for keyword, bound in bounds if keyword and bound is not None}
    if parameter.default is not None:
        schema["default"] = parameter.default
    return schema


_TYPES: dict[str, dict[str, str]] = {
    "text": {"type": "string"},
    "number": {"type": "integer"},
    "texts": {"type": "array"},
    "day": {"type": "string"},
    "choice": {"type": "string"},
    "choices": {"type": "array"},
}
_BOUNDS: dict[str, tuple[str, str]] = {
    "text": ("minLength", "maxLength"),
    "number": ("minimum", "maximum"),
    "texts": ("minItems", "maxItems"),
    "day": ("", ""),
    "choice": ("", ""),
    "choices": ("minItems", "maxItems"),
}


def _describe(parameter: Parameter) -> str:
    """The description with everything its keywords say, since some clients drop them."""
    parts = [parameter.description.rstrip()]
    if parameter.kind == "day":
        parts.append("Date as YYYY-MM-DD.")
    if not all(f"{value} = " in parts[0] for value in parameter.values):
        parts.append(f"Values: {', '.join(parameter.values)}.")
    if parameter.high is not None:
        parts.append(f"{_say_range(parameter).capitalize()}{_UNITS[parameter.kind]}.")
    if parameter.default is not None:
        parts.append(f"Default: {_say(parameter.default)}.")
    if parameter.example != parameter.default:  # a default is an example
        parts.append(f"Example: {_say(parameter.example)}")
    return " ".join(parts)


_UNITS: dict[str, str] = {
    "text": " characters",
    "number": "",
    "texts": " entries",
    "day": "",
    "choice": "",
    "choices": " entries",
}


def _say_range(parameter: Parameter) -> str:
    if parameter.low is None:
        return f"at most {parameter.high:,}"
    if parameter.high is None:
        return f"at least {parameter.low:,}"
    return f"{parameter.low:,} to {parameter.high:,}"


def _say(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shorten(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _name_type(value: Any) -> str:
    names = {bool: "true or false", str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), "a number")
