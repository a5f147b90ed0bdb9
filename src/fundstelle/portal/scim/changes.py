"""What a PATCH may say of attributes that it cannot change.

A directory that is told 200 takes it that what it asked for is so: what is shown alone is refused
unless it is so already, and so is what nobody knows. Directories send much of a person that is
nobody's matter here, such as a telephone number; that alone is passed over.

Source: RFC 7643 §4.1 (the attributes of a User), RFC 7644 §3.5.2 (``mutability``, ``invalidPath``).
"""

import re

from fundstelle.accounts.people.records import fold_email
from fundstelle.portal.scim.messages import Json, ScimError

NAME_PARTS = frozenset(
    {"formatted", "familyname", "givenname", "middlename", "honorificprefix", "honorificsuffix"}
)

_PASSED_OVER = frozenset(
    {
        *("schemas", "externalid", "nickname", "profileurl", "title", "usertype", "locale"),
        *("preferredlanguage", "timezone", "phonenumbers", "ims", "photos", "addresses"),
    }
)
_OF_GROUPS = frozenset({"schemas", "externalid", "id", "meta", "displayname"})
_SHOWN = frozenset({"id", "meta", "emails", "groups"})
_RIGHTS = frozenset({"password", "roles", "entitlements", "x509certificates"})
_PATH = re.compile(r"(?P<name>[\w$-]+)(?:\[[^\]]*\])?(?:\.(?P<part>[\w$-]+))?", re.ASCII)


def split_path(path: str) -> tuple[str, str]:
    """The attribute of a path, and the part of it that is named, in small letters."""
    match = _PATH.fullmatch(path)
    return (match["name"].lower(), (match["part"] or "").lower()) if match is not None else ("", "")


def check_unkept(action: str, path: str, value: object, shown: Json) -> None:
    """Pass over what of a User is not kept.

    Raises:
        ScimError: it would change what is ``shown``, gives rights that are given elsewhere, or is
            no attribute of a User.
    """
    name, part = split_path(path)
    if name in _PASSED_OVER:
        return
    if name in _RIGHTS:
        raise ScimError(400, f"{name} cannot be set by a directory", "mutability")
    if name not in _SHOWN:
        raise ScimError(400, "no attribute of a User is called so", "invalidPath")
    said = _name_part(value, part) if part else value
    if action == "remove" or not _is_so(said, shown[name]):
        raise ScimError(400, f"{name} cannot be changed", "mutability")


def check_unkept_of_group(path: str) -> None:
    """Pass over what of a Group is fixed.

    Raises:
        ScimError: it is no attribute of a Group.
    """
    if split_path(path)[0] not in _OF_GROUPS:
        raise ScimError(400, "no attribute of a Group is called so", "invalidPath")


def _name_part(value: object, part: str) -> object:
    return [{part: one} for one in value] if isinstance(value, list) else {part: value}


def _is_so(said: object, shown: object) -> bool:
    """Whether what is said is shown already; of several values each that is said."""
    if isinstance(shown, list):
        listed = said if isinstance(said, list) else [said]
        return bool(listed) and all(any(_is_so(one, each) for each in shown) for one in listed)
    if isinstance(shown, dict):
        if not isinstance(said, dict):
            return "value" in shown and _is_so(said, shown["value"])
        folded = {name.lower(): each for name, each in shown.items()}
        return bool(said) and all(n in folded and _is_so(e, folded[n]) for n, e in said.items())
    is_plain = isinstance(said, str | bool)  # some directories send truth values as words
    return is_plain and fold_email(str(said)) == fold_email(str(shown))
