"""What stands in a client's configuration file, and where on each system that file is."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from fundstelle.clients.target import NAME, Launch, Target

Entry = Mapping[str, Any]


class Form(StrEnum):
    """What a file is written in."""

    JSON = "json"
    JSONC = "jsonc"  # JSON in which the client permits comments
    TOML = "toml"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file is on each system.

    ``~`` is the home folder, ``%APPDATA%`` that of Windows; a path that begins with neither is
    below the folder in which the client is started.
    """

    linux: str
    macos: str
    windows: str


def everywhere(path: str) -> Place:
    """The same path on each system."""
    return Place(path, path, path)


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file from which a client reads its servers.

    Args:
        form: what it is written in.
        place: where it is.
        keys: of the mapping that holds one entry a server, from the outermost.
        remote: the entry that leads to the server by HTTP; ``None`` = the client starts programs.
        program: the entry that starts a program.
        lists: what else the remote entry needs: entries of lists, each with an ``id``.
        holds_key: whether the key itself stands in what ``build`` gives.
        needs_variable: whether the client puts the key in from the environment.
    """

    form: Form
    place: Place
    keys: tuple[str, ...]
    program: Callable[[Launch], Entry]
    remote: Callable[[Target], Entry] | None = None
    lists: Mapping[str, Entry] = field(default_factory=dict)
    holds_key: bool = False
    needs_variable: bool = False

    def build(self, target: Target) -> Entry:
        """The entry for the server."""
        return self.remote(target) if self.remote else self.program(target.bridge)

    def write(self, target: Target) -> str:
        """A file with nothing else in it."""
        return self.render(self.build(target), self.lists if self.remote else {})

    def render(self, entry: Entry, lists: Mapping[str, Entry]) -> str:
        """The same for an entry."""
        if self.form is Form.TOML:
            return write_toml((*self.keys, NAME), entry)
        if self.form is Form.YAML:
            return f"{self.keys[0]}:\n{write_yaml(NAME, entry)}"
        whole: dict[str, Any] = {name: [item] for name, item in lists.items()}
        inner = whole
        for key in self.keys:
            inner = inner.setdefault(key, {})
        inner[NAME] = entry
        return json.dumps(whole, indent=2, ensure_ascii=False)


def write_toml(keys: tuple[str, ...], entry: Entry) -> str:
    """A table: texts, truths, lists of texts, and mappings of texts as inline tables."""
    lines = [f"[{'.'.join(keys)}]"]
    lines += [f"{name} = {_write_toml_value(value)}" for name, value in entry.items()]
    return "\n".join(lines) + "\n"


def _write_toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{name} = {_write_toml_value(item)}" for name, item in value.items())
        return f"{{ {inner} }}"
    # a JSON text is a TOML basic string; both write lists of them alike (TOML 1.0.0, "String")
    return json.dumps(value, ensure_ascii=False)


def write_yaml(name: str, entry: Entry, indent: str = "  ") -> str:
    """A mapping in a mapping: JSON values are YAML ones (YAML 1.2.2 §1.3)."""
    lines = [f"{indent}{name}:"]
    lines += [
        f"{indent}  {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()
    ]
    return "\n".join(lines) + "\n"
