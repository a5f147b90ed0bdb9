"""Names of attributes as directories write them: in any letters, with or without their schema.

A name that is not understood is refused or is of another schema: a directory that is told 200 takes
it that somebody's access has ended.

Source: RFC 7643 §2.1 (names have no case), RFC 7644 §3.10 (``urn:…:User:active``), §3.5.2 (paths).
"""

import re
from collections.abc import Iterator

from fundstelle.portal.scim.messages import CORE, Json, ScimError

_MOST_OPERATIONS = 100
_URN = "urn:"
_EXTENSIONS = "urn:ietf:params:scim:schemas:extension:"
_OF_CORE = ":core:"
_NAME = r"[a-z][\w$-]*"
_PATH = re.compile(rf"{_NAME}(?:\.{_NAME}|\[[^\[\]]+\](?:\.{_NAME})?)?", re.IGNORECASE | re.ASCII)


def fold_attributes(body: Json, resource: str) -> Json:
    """The attributes of a resource, ``User`` or ``Group``, by their names in small letters.

    What lies in the URN of its schema, or bears it, is among them; attributes of extensions, which
    are not kept here, are left out.

    Raises:
        ScimError: a name is of another core schema, or there twice.
    """
    folded: Json = {}
    for name, value in _list_attributes(body, resource):
        if name in folded:
            raise ScimError(400, "an attribute is there twice", "invalidSyntax")
        folded[name] = _fold(value)
    return folded


def _list_attributes(body: Json, resource: str) -> Iterator[tuple[str, object]]:
    for written, value in body.items():
        name = _strip(written, resource)
        if name:
            yield name.lower(), value
        elif name is not None:
            if not isinstance(value, dict):
                raise ScimError(400, "a schema has attributes", "invalidSyntax")
            inner = ((_strip(each, resource), said) for each, said in value.items())
            yield from ((each.lower(), said) for each, said in inner if each)


def read_operations(body: Json, resource: str) -> Iterator[tuple[str, str, object]]:
    """The operations of a PATCH: what in small letters, where, and the value.

    The name of an attribute is in small letters and without its schema; what a path compares keeps
    its letters. An operation without a path is one for each attribute of its value.

    Raises:
        ScimError: they cannot be read, or are too many.
    """
    listed = _fold_names(body).get("operations")
    if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_OPERATIONS:
        raise ScimError(400, f"Operations are 1 to {_MOST_OPERATIONS}", "invalidSyntax")
    for one in listed:
        told = _fold_names(one) if isinstance(one, dict) else {}
        asked = told.get("op")
        action = asked.lower() if isinstance(asked, str) else ""
        if action not in {"add", "replace", "remove"}:
            raise ScimError(400, "an operation is add, replace or remove", "invalidSyntax")
        path, value = told.get("path"), told.get("value")
        if path and not isinstance(path, str):
            raise ScimError(400, "a path is text", "invalidPath")
        name = _read_path(path, resource) if isinstance(path, str) and path else ""
        if name is None:
            continue
        if name:
            yield action, name, _fold(value)
        elif isinstance(value, dict):
            folded = fold_attributes(value, resource)
            yield from ((action, attribute, each) for attribute, each in folded.items())
        else:
            raise ScimError(400, "an operation without a path has attributes", "noTarget")


def _read_path(path: str, resource: str) -> str | None:
    """The path without its schema: ``""`` for all of it, ``None`` for what an extension has."""
    if path.lower().startswith(_EXTENSIONS):
        return None
    name = _strip(path, resource)
    if name == "":
        return name
    if name is None or _PATH.fullmatch(name) is None:
        raise ScimError(400, "there is no such path", "invalidPath")
    attribute, bracket, rest = name.partition("[")
    return attribute.lower() + bracket + rest


def _strip(written: str, resource: str) -> str | None:
    """The name without its schema: ``""`` for the schema itself, ``None`` for one of another."""
    folded, schema = written.lower(), (CORE + resource).lower()
    if not folded.startswith(_URN):
        return written
    if folded == schema:
        return ""
    if folded.startswith(schema + ":"):
        return written[len(schema) + 1 :]
    if _OF_CORE in folded:
        raise ScimError(400, f"no attribute of a {resource} is called so", "invalidPath")
    return None


def _fold(value: object) -> object:
    """Names of parts in small letters; attributes have parts, and these have none."""
    if isinstance(value, list):
        return [_fold_names(each) if isinstance(each, dict) else each for each in value]
    return _fold_names(value) if isinstance(value, dict) else value


def _fold_names(value: Json) -> Json:
    folded = {name.lower(): each for name, each in value.items()}
    if len(folded) < len(value):
        raise ScimError(400, "an attribute is there twice", "invalidSyntax")
    return folded
