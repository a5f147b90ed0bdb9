"""One entry into a configuration file's text, and out of it again; the rest stays as it is.

Every edit is checked: the text that results, read again, is the one before with that entry and
nothing else. Where that cannot be had, the edit is refused and nothing is written.
"""

import json
import math
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import yaml

from fundstelle.clients.files import ConfigFile, Entry, Form, write_toml, write_yaml
from fundstelle.clients.target import NAME
from fundstelle.errors import FundstelleError

_INDENT = re.compile(r"\n([ \t]+)\S")
_YAML_CHILD = re.compile(r"( +)\S")

Values = dict[str, Any]


class NotEdited(FundstelleError):
    """The file is left alone; the message says why, and what to do by hand."""

    code = "not_edited"


class _Lossy(ValueError):
    """What can be read, but not written again as it was; the message says what."""


def find_entry(file: ConfigFile, text: str) -> Any:
    """What the file holds under our name; ``None`` if nothing.

    Raises:
        NotEdited: the text cannot be read.
    """
    return _get_holder(file, _read(file, text)).get(NAME)


def add_entry(file: ConfigFile, text: str, entry: Entry, lists: Mapping[str, Entry]) -> str:
    """The text with the entry in it, which it did not have.

    Raises:
        NotEdited: it cannot be put in without touching anything else.
    """
    before = _read(file, text)
    wanted = _insert(file, _copy(before), entry, lists)
    if file.form is Form.TOML:
        gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
        edited = text + gap + write_toml((*file.keys, NAME), entry)
    elif file.form is Form.YAML:
        edited = _add_to_yaml(file.keys[0], text, entry)
    else:
        edited = _dump(wanted, text)
    _check(file, edited, wanted)
    return edited


def remove_entry(file: ConfigFile, text: str, lists: Mapping[str, Entry]) -> str:
    """The text without our entry, which it has, and without what stood there for it alone.

    Raises:
        NotEdited: it cannot be taken out without touching anything else, or a comment in it would
            be lost.
    """
    wanted = _read(file, text)
    entry = _get_holder(file, wanted).pop(NAME)
    for name, item in lists.items():
        kept = [one for one in wanted.get(name, []) if not is_same(one, item)]
        wanted[name] = kept
        if not kept:
            del wanted[name]
    _prune(wanted, file.keys)
    if file.form is Form.TOML:
        edited = _cut_toml((*file.keys, NAME), text, entry)
    elif file.form is Form.YAML:
        edited = _cut_yaml(file.keys[0], text, entry)
    else:
        edited = _dump(wanted, text)
    _check(file, edited, wanted)
    return edited


def is_empty(file: ConfigFile, text: str) -> bool:
    """Whether nothing is left that anybody could have written."""
    return not _read(file, text) and "#" not in text


def is_same(one: Any, other: Any) -> bool:
    """Whether two values say the same to whoever reads them: 1 is neither ``true`` nor 1.0."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return type(one) is type(other) and bool(one == other)


def _read(file: ConfigFile, text: str) -> Values:
    try:
        values = _parse(file.form, text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        reason = str(error) if isinstance(error, _Lossy) else "it cannot be read"
        if file.form is Form.JSONC and re.search(r"(^|\s)(//|/\*)|,\s*[}\]]", text):
            reason = "it has comments or commas that would be lost"
        raise NotEdited(f"{reason}, so it is left alone; change it by hand") from None
    if not isinstance(values, dict) or not _is_mapping(file, values):
        raise NotEdited("it is not laid out as this client reads it; change it by hand")
    return values


def _parse(form: Form, text: str) -> Any:
    if form is Form.TOML:
        return tomllib.loads(text)
    if form is Form.YAML:
        return yaml.safe_load(text) or {}
    if not text.strip():
        return {}
    return json.loads(
        text,
        object_pairs_hook=_take_pairs,
        parse_float=_read_number,
        parse_constant=_refuse_constant,
    )


def _take_pairs(pairs: list[tuple[str, Any]]) -> Values:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Lossy("a name stands in it twice, of which one would be lost")
    return found


def _read_number(written: str) -> float:
    number = float(written)
    try:
        is_kept = math.isfinite(number) and Decimal(written) == Decimal(repr(number))
    except ArithmeticError:
        is_kept = False
    if not is_kept:  # 1e999 would be written as Infinity
        raise _Lossy("it has a number that would be written as another")
    return number


def _refuse_constant(name: str) -> float:
    raise _Lossy(f"it has {name}, which is no JSON")


def _is_mapping(file: ConfigFile, values: Values) -> bool:
    inner: Any = values
    for key in file.keys:
        inner = {} if inner.get(key) is None else inner[key]
        if not isinstance(inner, dict):
            return False
    return all(isinstance(values.get(name, []), list) for name in file.lists)


def _get_holder(file: ConfigFile, values: Values) -> Values:
    inner: Values = values
    for key in file.keys:
        inner = inner.get(key) or {}
    return inner


def _insert(file: ConfigFile, values: Values, entry: Entry, lists: Mapping[str, Entry]) -> Values:
    inner = values
    for key in file.keys:
        if not inner.get(key):
            inner[key] = {}
        inner = inner[key]
    inner[NAME] = entry
    for name, item in lists.items():
        held = values.setdefault(name, [])
        if not any(is_same(item, one) for one in held):
            held.append(item)
    return values


def _prune(values: Values, keys: tuple[str, ...]) -> None:
    """Drop mappings that have become empty."""
    inner = values
    for key in keys[:-1]:
        inner = inner[key]
    if not inner[keys[-1]]:
        del inner[keys[-1]]
    if len(keys) > 1:
        _prune(values, keys[:-1])


def _copy(values: Values) -> Values:
    copied: Values = {
        name: _copy(value)
        if isinstance(value, dict)
        else list(value)
        if isinstance(value, list)
        else value
        for name, value in values.items()
    }
    return copied


def _dump(values: Values, text: str) -> str:
    """JSON, indented as the text before was."""
    found = _INDENT.search(text)
    indent: str | int = found[1] if found else 2
    end = "\n" if text.endswith("\n") or not text.strip() else ""
    return json.dumps(values, indent=indent, ensure_ascii=False) + end


def _add_to_yaml(key: str, text: str, entry: Entry) -> str:
    lines = text.splitlines(keepends=True)
    place = next((n for n, line in enumerate(lines) if line.rstrip() == f"{key}:"), None)
    if place is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}{key}:\n{write_yaml(NAME, entry)}"
    below = next((line for line in lines[place + 1 :] if line.strip() and "#" not in line), "")
    child = _YAML_CHILD.match(below)
    lines.insert(place + 1, write_yaml(NAME, entry, child[1] if child else "  "))
    return "".join(lines)


def _cut_yaml(key: str, text: str, entry: Entry) -> str:
    lines = text.splitlines(keepends=True)
    place = next((n for n, line in enumerate(lines) if line.strip() == f"{NAME}:"), None)
    if place is None:
        raise NotEdited("the entry is not written as this command writes it; take it out by hand")
    indent = len(lines[place]) - len(lines[place].lstrip())
    end = place + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > indent:
        end += 1
    _keep_comments(lines[place:end], write_yaml(NAME, entry, " " * indent))
    rest = lines[:place] + lines[end:]
    edited = "".join(rest)
    if not (yaml.safe_load(edited) or {}).get(key):  # nothing is left below it
        edited = "".join(line for line in rest if line.rstrip() != f"{key}:")
    return edited


def _cut_toml(keys: tuple[str, ...], text: str, entry: Entry) -> str:
    """Without the lines from our head to the next, and without the blank line that we put there."""
    head = re.compile(rf"\[{re.escape('.'.join(keys))}\]\s*(#.*\s*)?")
    lines = text.splitlines(keepends=True)
    place = next((n for n, line in enumerate(lines) if head.fullmatch(line)), None)
    if place is None:
        raise NotEdited("the entry is not written as this command writes it; take it out by hand")
    end = place + 1
    while end < len(lines) and not lines[end].startswith(("[", "#")) and lines[end].strip():
        end += 1
    _keep_comments(lines[place:end], write_toml(keys, entry))
    if place and not lines[place - 1].strip():
        place -= 1
    return "".join(lines[:place] + lines[end:])


def _keep_comments(lines: list[str], ours: str) -> None:
    """See that what goes has no comment in it.

    Raises:
        NotEdited: somebody has written into the entry, and it would be lost.
    """
    text = "".join(lines)
    if "#" in text and text.split() != ours.split():
        raise NotEdited(
            "there is a comment in the entry that would be lost, so it is left alone; take the"
            " entry out by hand"
        )


def _check(file: ConfigFile, text: str, wanted: Values) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotEdited(
            "it would hold half a character (a lone surrogate such as \\ud800), which no file can,"
            " so it is left alone; change it by hand"
        ) from None
    try:
        same = is_same(_parse(file.form, text), wanted)
    except (ValueError, yaml.YAMLError):
        same = False
    if not same:
        raise NotEdited(
            "it is laid out in a way that cannot be edited without touching more than this entry,"
            " so it is left alone; change it by hand"
        )
