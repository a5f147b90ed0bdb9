"""What the directory does: people made, changed, disabled and deleted, each with a line."""

import re
from collections.abc import Callable, Mapping

from fundstelle.accounts.people.people import User
from fundstelle.accounts.people.roster import Within
from fundstelle.errors import InvalidInput, NotFound
from fundstelle.portal.account import rename
from fundstelle.portal.frame.services import Services
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
    read_operations,
)

ACTOR = "scim"  # in the log

_MEMBER = re.compile(r'members\[value eq "(?P<id>\w{1,40})"\]', re.IGNORECASE)
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
        people = self._services.people
        if wanted is None:
            found = people.list()
        else:
            one = people.find_by_email(wanted)
            found = () if one is None else (one,)
        return describe_list([describe_user(one, self._base) for one in found], query)

    def get_user(self, user_id: str) -> Json:
        """One person."""
        return describe_user(self._find(user_id), self._base)

    def create_user(self, body: Json) -> Json:
        """A member who has no password yet and signs in at the identity provider."""
        is_active = read_bool(body.get("active", True))
        email = body.get("userName")
        if not isinstance(email, str):
            raise ScimError(400, "userName is an e-mail address", "invalidValue")
        try:
            with self._services.audit.together() as note:
                user = self._services.people.provision(email, _read_name(body))
                note("person_provisioned", ACTOR, user.id)
        except InvalidInput as error:
            if error.allowed_values == ("taken",):
                raise ScimError(409, "there is an account already", "uniqueness") from None
            raise ScimError(400, "userName is an e-mail address", "invalidValue") from None
        if not is_active:
            self._set_active(user, is_active=False)
        return self.get_user(user.id)

    def replace_user(self, user_id: str, body: Json) -> Json:
        """Name and state, as the directory has them."""
        user = self._find(user_id)
        self._keep_address(user, body.get("userName", user.email))
        if name := _read_name(body):
            self._rename(user, name)
        if "active" in body:  # what it does not say stays as it is
            self._set_active(user, is_active=read_bool(body["active"]))
        return self.get_user(user_id)

    def patch_user(self, user_id: str, body: Json) -> Json:
        """What of a person has changed; attributes that are not kept here are passed over."""
        user = self._find(user_id)
        for action, asked, value in read_operations(body):
            path = asked.lower()  # names of attributes have no case (RFC 7643 §2.1), ids have
            if path == "active" and action != "remove":
                self._set_active(self._find(user_id), is_active=read_bool(value))
            elif path == "username":
                self._keep_address(user, value)
            elif path in {"displayname", "name.formatted"} and isinstance(value, str):
                self._rename(user, value)
        return self.get_user(user_id)

    def delete_user(self, user_id: str) -> None:
        """Forget somebody; their keys end."""
        user = self._find(user_id)
        within = self._services.audit.recording("person_deleted", ACTOR, user.id, keys="end")
        self._act(lambda: self._services.people.delete(user.id, None, within))

    def list_groups(self, query: Mapping[str, str]) -> Json:
        """Both roles, or the one with the ``displayName`` that is asked for."""
        wanted = read_filter(query, "displayName")
        roles = [one for one in list_roles() if wanted in {None, find_title(one)}]
        people = self._services.people.list()
        return describe_list([describe_group(one, people, self._base) for one in roles], query)

    def get_group(self, role: str) -> Json:
        """One role with those who have it."""
        if role not in list_roles():
            raise ScimError(404, "there is no such group")
        return describe_group(role, self._services.people.list(), self._base)

    def patch_group(self, role: str, body: Json) -> Json:
        """Give people a role; whoever is taken out of the administrators is a member."""
        self.get_group(role)
        for action, path, value in read_operations(body):
            single = _MEMBER.fullmatch(path)
            if path.lower() != "members" and single is None:
                continue  # the names of the groups are fixed
            ids = [single["id"]] if single else _read_ids(value)
            if action == "replace":
                raise ScimError(400, "members are added and removed one by one", "mutability")
            if action == "remove" and role == "member":
                raise ScimError(400, "whoever is no administrator is a member", "mutability")
            for user_id in ids:
                self._set_role(user_id, role if action == "add" else "member")
        return self.get_group(role)

    def _find(self, user_id: str) -> User:
        user = self._services.people.find(user_id)
        if user is None:
            raise ScimError(404, "there is no such user")
        return user

    @staticmethod
    def _keep_address(user: User, asked: object) -> None:
        """An address is who somebody is: another one is another person."""
        if not isinstance(asked, str) or asked.strip().lower() != user.email:
            raise ScimError(400, "userName cannot be changed", "mutability")

    def _rename(self, user: User, name: str) -> None:
        try:
            rename(self._services, ACTOR, user, name)
        except InvalidInput:
            raise ScimError(400, "the name cannot be shown", "invalidValue") from None

    def _set_active(self, user: User, *, is_active: bool) -> None:
        if is_active == (user.disabled is None):
            return
        people = self._services.people
        event, change = (
            ("person_enable", people.enable) if is_active else ("person_disable", people.disable)
        )
        self._act(lambda: change(user.id, self._record(event, user.id)))

    def _set_role(self, user_id: str, role: str) -> None:
        user = self._find(user_id)
        if user.role != role:
            within = self._record(f"person_{role}", user_id)
            self._act(lambda: self._services.people.set_role(user_id, role, within))

    def _record(self, event: str, user_id: str) -> Within:
        return self._services.audit.recording(event, ACTOR, user_id)

    def _act(self, change: Callable[[], None]) -> None:
        try:
            change()
        except InvalidInput:
            raise ScimError(409, "the last administrator stays one", "mutability") from None
        except NotFound:
            raise ScimError(404, "there is no such user") from None
        self._services.keys.read_again()
        self._services.grants.read_again()


def _read_name(body: Json) -> str:
    """What the directory calls somebody; empty if it does not say."""
    name = body.get("name")
    parts = name if isinstance(name, dict) else {}
    whole = " ".join(str(parts.get(one, "")) for one in ("givenName", "familyName"))
    for found in (body.get("displayName"), parts.get("formatted"), whole.strip()):
        if isinstance(found, str) and found.strip():
            return found
    return ""


def _read_ids(value: object) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    ids = [one.get("value") for one in listed if isinstance(one, dict)]
    if len(ids) != len(listed) or len(ids) > _MOST_MEMBERS:
        raise ScimError(400, f"members are up to {_MOST_MEMBERS} objects", "invalidValue")
    return [str(one) for one in ids]
