"""SCIM as JSON: what a person and a role look like, and what a request asks for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fundstelle.accounts.people.people import User
from fundstelle.accounts.people.records import ROLES

MOST = 200  # resources in one answer
CORE = "urn:ietf:params:scim:schemas:core:2.0:"
_API = "urn:ietf:params:scim:api:messages:2.0:"
_FILTER = re.compile(
    rf'(?:{re.escape(CORE)}(?:User|Group):)?(?P<name>\w+) eq "(?P<value>[^"\\\x00-\x1f]{{1,300}})"',
    re.IGNORECASE,
)
_TITLES = {"admin": "Fundstelle administrators", "member": "Fundstelle members"}
_FAR = 1_000_000
_INTEGER = re.compile(r"-?[0-9]+")

Json = dict[str, Any]


class ScimError(Exception):
    """A refusal as RFC 7644 §3.12 writes it."""

    def __init__(self, status: int, detail: str, kind: str = "") -> None:
        super().__init__(detail)
        self.status, self.detail, self.kind = status, detail, kind

    def describe(self) -> Json:
        """The body of the answer."""
        body: Json = {"schemas": [_API + "Error"], "status": str(self.status)}
        return body | {"detail": self.detail} | ({"scimType": self.kind} if self.kind else {})


def describe_user(user: User, base: str) -> Json:
    """A person as a User (RFC 7643 §4.1)."""
    return {
        "schemas": [CORE + "User"],
        "id": user.id,
        "userName": user.email,
        "displayName": user.name,
        "name": {"formatted": user.name},
        "emails": [{"value": user.email, "type": "work", "primary": True}],
        "active": user.disabled is None,
        "groups": [{"value": user.role, "display": _TITLES[user.role]}],
        "meta": {
            "resourceType": "User",
            "created": user.created.isoformat(),
            "location": f"{base}/Users/{user.id}",
        },
    }


def describe_group(role: str, people: Sequence[User], base: str) -> Json:
    """A role as a Group (RFC 7643 §4.2)."""
    members = [
        {"value": one.id, "display": one.email, "$ref": f"{base}/Users/{one.id}"}
        for one in people
        if one.role == role
    ]
    return {
        "schemas": [CORE + "Group"],
        "id": role,
        "displayName": _TITLES[role],
        "members": members,
        "meta": {"resourceType": "Group", "location": f"{base}/Groups/{role}"},
    }


def describe_list(resources: Sequence[Json], query: Mapping[str, str]) -> Json:
    """A page of a list (RFC 7644 §3.4.2.4).

    Raises:
        ScimError: where it begins, or how long it is, is no whole number.
    """
    start = max(1, _read_integer(query, "startIndex", 1))
    # "A negative value SHALL be interpreted as 0"
    asked = max(0, _read_integer(query, "count", MOST))
    page = resources[start - 1 : start - 1 + min(MOST, asked)]
    return {
        "schemas": [_API + "ListResponse"],
        "totalResults": len(resources),
        "startIndex": start,
        "itemsPerPage": len(page),
        "Resources": list(page),
    }


def _read_integer(query: Mapping[str, str], name: str, missing: int) -> int:
    """A whole number of the address; one that is further than any list is long is that far."""
    text = query.get(name, "").strip()
    if not text:
        return missing
    if not _INTEGER.fullmatch(text):
        raise ScimError(400, f"{name} is a whole number", "invalidValue")
    digits = text.lstrip("-").lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(_FAR)) else _FAR
    return -number if text.startswith("-") else number


def describe_server(base: str) -> Json:
    """What this server can (RFC 7643 §5)."""
    no = {"supported": False}
    return {
        "schemas": [CORE + "ServiceProviderConfig"],
        "patch": {"supported": True},
        "bulk": no | {"maxOperations": 0, "maxPayloadSize": 0},
        "filter": {"supported": True, "maxResults": MOST},
        "changePassword": no,
        "sort": no,
        "etag": no,
        "authenticationSchemes": [
            {
                "type": "oauthbearertoken",
                "name": "Bearer token",
                "description": "Made in Administration, Provisioning",
                "primary": True,
            }
        ],
        "meta": {
            "resourceType": "ServiceProviderConfig",
            "location": f"{base}/ServiceProviderConfig",
        },
    }


def list_roles() -> tuple[str, ...]:
    """The ids of the groups."""
    return ROLES


def find_title(role: str) -> str:
    """What a group is called."""
    return _TITLES[role]


def read_filter(query: Mapping[str, str], name: str) -> str | None:
    """The value of ``name eq "…"``; ``None`` if nothing is filtered.

    Raises:
        ScimError: it asks for anything else.
    """
    asked = query.get("filter", "").strip()
    if not asked:
        return None
    found = _FILTER.fullmatch(asked)
    if found is None or found["name"].lower() != name.lower():
        raise ScimError(400, f'this server filters by: {name} eq "…"', "invalidFilter")
    return found["value"]


def read_bool(value: object) -> bool:
    """A truth value; some directories send it as a word.

    Raises:
        ScimError: it is none.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in {"true", "false"}:
        return value.lower() == "true"
    raise ScimError(400, "active is true or false", "invalidValue")
