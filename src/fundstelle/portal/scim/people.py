"""What the directory does: people made, changed, disabled and deleted, each with a line."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from fundstelle.accounts.audit.log import Record
from fundstelle.accounts.people.people import User
from fundstelle.accounts.people.records import fold_email
from fundstelle.errors import InvalidInput, NotFound
from fundstelle.portal.account import rename
from fundstelle.portal.frame.services import Services
from fundstelle.portal.scim.attributes import fold_attributes, read_operations
from fundstelle.portal.scim.changes import (
    NAME_PARTS,
    check_unkept,
    check_unkept_of_group,
    split_path,
)
from fundstelle.portal.scim.messages import (
    Json,
    ScimError,
    describe_group,
    describe_list,
    describe_user,
    find_title,
    list_roles,
    read_bool,
    read_filter,
)

ACTOR = "scim"  # in the log

_ID = re.compile(r"\w{1,40}", re.ASCII)
_MEMBER = re.compile(r'members\[\s*value\s+eq\s+"(?P<id>[^"]*)"\s*\]', re.IGNORECASE)
_PARTS = {"givenname", "familyname"}
_MOST_MEMBERS = 1_000  # of one operation


class Directory:
    """The directory's hand on one server.

    Args:
        services: the server's parts.
        base: the address of its SCIM endpoints.
    """

    def __init__(self, services: Services, base: str) -> None:
        self._services = services
        self._base = base

    def list_users(self, query: Mapping[str, str]) -> Json:
        """Everybody, or whoever has the ``userName`` that is asked for."""
        wanted = read_filter(query, "userName")
        if wanted is None:
            found = self._list()
        else:
            one = self._services.people.find_by_email(wanted)
            found = [] if one is None or one.self_made else [one]
        return describe_list([describe_user(one, self._base) for one in found], query)

    def get_user(self, user_id: str) -> Json:
        """One person."""
        return describe_user(self._find(user_id), self._base)

    def create_user(self, body: Json) -> Json:
        """A member who has no password yet and signs in at the identity provider."""
        body = fold_attributes(body, "User")
        is_active = read_bool(body.get("active", True))
        email = body.get("username")
        if not isinstance(email, str):
            raise ScimError(400, "userName is an e-mail address", "invalidValue")
        with self._together() as note:
            try:
                user = self._services.people.provision(email, _read_name(body))
            except InvalidInput as error:
                if error.allowed_values == ("taken",):
                    raise ScimError(409, self._tell_taken(email), "uniqueness") from None
                raise ScimError(400, "userName is an e-mail address", "invalidValue") from None
            note("person_provisioned", ACTOR, user.id)
            self._set_active(note, user, is_active=is_active)
        return self.get_user(user.id)

    def replace_user(self, user_id: str, body: Json) -> Json:
        """Name and state, as the directory has them; what it does not say stays as it is."""
        user = self._find(user_id)
        body = fold_attributes(body, "User")
        _keep_address(user, body.get("username", user.email))
        active = read_bool(body["active"]) if "active" in body else None
        return self._change(user, _read_name(body), active)

    def patch_user(self, user_id: str, body: Json) -> Json:
        """What of a person has changed.

        One name is kept: of a given name or a family name alone nothing is known of the whole.

        Raises:
            ScimError: it asks for what is not made. Whoever is to be disabled is, though, whatever
                is sent of what is not kept: a directory whose ``emails`` are others than its
                ``userName`` sends them with every change, and would disable nobody.
        """
        user = self._find(user_id)
        shown = describe_user(user, self._base)
        active = None
        unkept: list[tuple[str, str, object]] = []
        told: Json = {}  # of the name, by one operation or several
        parts: Json = {}
        for action, path, value in read_operations(body, "User"):
            name, part = split_path(path)
            if name == "active":
                if action == "remove" or path != "active":
                    raise ScimError(400, "active is replaced as a whole", "mutability")
                active = read_bool(value)
            elif path == "username":
                _keep_address(user, value)
            elif path == "displayname":
                told |= {path: value} if action != "remove" else {}
            elif path == "name":
                parts |= value if action != "remove" and isinstance(value, dict) else {}
            elif name == "name" and part in NAME_PARTS:
                parts |= {part: value} if action != "remove" else {}
            else:
                unkept.append((action, path, value))
        for one in unkept if active is not False else ():
            check_unkept(*one, shown)
        if "formatted" in parts or parts.keys() >= _PARTS:
            told["name"] = parts
        return self._change(user, _read_name(told), active)

    def delete_user(self, user_id: str) -> None:
        """Forget somebody; their keys end."""
        user = self._find(user_id)
        with self._together() as note:
            self._services.people.delete(user.id)
            note("person_deleted", ACTOR, user.id, keys="end")

    def list_groups(self, query: Mapping[str, str]) -> Json:
        """Both roles, or the one with the ``displayName`` that is asked for."""
        wanted = read_filter(query, "displayName")
        roles = [one for one in list_roles() if wanted in {None, find_title(one)}]
        people = self._list()
        return describe_list([describe_group(one, people, self._base) for one in roles], query)

    def get_group(self, role: str) -> Json:
        """One role with those who have it."""
        if role not in list_roles():
            raise ScimError(404, "there is no such group")
        return describe_group(role, self._list(), self._base)

    def patch_group(self, role: str, body: Json) -> Json:
        """Give people a role; whoever is taken out of the administrators is a member."""
        self.get_group(role)
        wanted: dict[str, str] = {}  # of each person the role that the last operation says
        for action, path, value in read_operations(body, "Group"):
            if not path.startswith("members"):
                check_unkept_of_group(path)
                continue
            single = _MEMBER.fullmatch(path)
            if path != "members" and single is None:
                raise ScimError(400, 'members are named by [value eq "…"]', "invalidPath")
            ids = [single["id"]] if single else _read_ids(value)
            if action == "replace":
                raise ScimError(400, "members are added and removed one by one", "mutability")
            if action == "remove" and role == "member":
                raise ScimError(400, "whoever is no administrator is a member", "mutability")
            wanted |= dict.fromkeys(ids, role if action == "add" else "member")
        users = [self._find(user_id) for user_id in wanted]
        # Administrators first: the last one may give way to another in one request.
        users.sort(key=lambda user: wanted[user.id])
        with self._together() as note:
            for user in users:
                if self._services.people.set_role(user.id, wanted[user.id]):
                    note(f"person_{wanted[user.id]}", ACTOR, user.id)
        return self.get_group(role)

    def _find(self, user_id: str) -> User:
        # What is no id is not looked for: PostgreSQL takes no text with NUL.
        user = self._services.people.find(user_id) if _ID.fullmatch(user_id) else None
        if user is None or user.self_made:
            raise ScimError(404, "there is no such user")
        return user

    def _list(self) -> list[User]:
        """All but those who have made their accounts for themselves.

        The directory knows people by their address; of these nobody has proven it.
        """
        return [one for one in self._services.people.list() if not one.self_made]

    def _tell_taken(self, email: str) -> str:
        user = self._services.people.find_by_email(email)
        if user is None or not user.self_made:
            return "there is an account already"
        return (
            "somebody has signed up with this address; an administrator deletes that account first"
        )

    def _change(self, user: User, name: str, active: bool | None) -> Json:
        """A name and a state; ``""`` and ``None`` = as it is.

        A name that cannot be shown is passed over, as when somebody is made: a directory that
        sends it with every change would otherwise disable nobody.
        """
        with self._together() as note:
            if active is not None:  # first: it takes the revision of the keys before the person
                self._set_active(note, user, is_active=active)
            if name:
                with suppress(InvalidInput):
                    rename(self._services.people, note, ACTOR, user, name)
        return self.get_user(user.id)

    def _set_active(self, note: Record, user: User, *, is_active: bool) -> None:
        people = self._services.people
        event, change = (
            ("person_enable", people.enable) if is_active else ("person_disable", people.disable)
        )
        if change(user.id):  # else it is so already
            note(event, ACTOR, user.id)

    @contextmanager
    def _together(self) -> Iterator[Record]:
        """All that a request changes, each with its line, or nothing of it (RFC 7644 §3.5.2)."""
        try:
            with self._services.audit.together() as note:
                yield note
        except InvalidInput:
            raise ScimError(409, "the last administrator stays one", "mutability") from None
        except NotFound:
            raise ScimError(404, "there is no such user") from None
        self._services.keys.read_again()
        self._services.grants.read_again()


def _keep_address(user: User, asked: object) -> None:
    """An address is who somebody is: another one is another person."""
    if not isinstance(asked, str) or fold_email(asked) != fold_email(user.email):
        raise ScimError(400, "userName cannot be changed", "mutability")


def _read_name(body: Json) -> str:
    """What the directory calls somebody, by attributes in small letters; empty: it does not say."""
    name = body.get("name")
    parts = name if isinstance(name, dict) else {}
    given = (parts.get(one) for one in ("givenname", "familyname"))
    whole = " ".join(one for one in given if isinstance(one, str))
    for found in (body.get("displayname"), parts.get("formatted"), whole.strip()):
        if isinstance(found, str) and found.strip():
            return found
    return ""


def _read_ids(value: object) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    named = (one.get("value") for one in listed if isinstance(one, dict))
    ids = [one for one in named if isinstance(one, str)]
    if len(ids) != len(listed) or len(ids) > _MOST_MEMBERS:
        raise ScimError(400, f"members are up to {_MOST_MEMBERS} objects", "invalidValue")
    return ids
