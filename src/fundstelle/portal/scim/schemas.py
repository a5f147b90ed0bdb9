"""What users and groups have here, as a directory may read it before it writes any.

Source: RFC 7643 §6 and §7 (form), §8.7 (the definitions that these are part of); RFC 7644 §4.
"""

from collections.abc import Mapping

from fundstelle.portal.scim.messages import CORE, Json, ScimError, describe_list

_USER, _GROUP = CORE + "User", CORE + "Group"
_RESOURCES = {
    "User": ("/Users", "A person with an account", _USER),
    "Group": ("/Groups", "A role; its members are the people who have it", _GROUP),
}


def list_types(query: Mapping[str, str], base: str) -> Json:
    """Both kinds of resources."""
    _refuse_filter(query)
    return describe_list([_describe_type(name, base) for name in _RESOURCES], {})


def get_type(name: str, base: str) -> Json:
    """One kind."""
    if name not in _RESOURCES:
        raise ScimError(404, "there is no such type of resource")
    return _describe_type(name, base)


def list_schemas(query: Mapping[str, str], base: str) -> Json:
    """Both schemas."""
    _refuse_filter(query)
    return describe_list([_describe_schema(urn, base) for urn in _ATTRIBUTES], {})


def get_schema(urn: str, base: str) -> Json:
    """One schema by its URN, whose letters have no case (RFC 8141 §3)."""
    found = next((one for one in _ATTRIBUTES if one.lower() == urn.lower()), None)
    if found is None:
        raise ScimError(404, "there is no such schema")
    return _describe_schema(found, base)


def _refuse_filter(query: Mapping[str, str]) -> None:
    """Other parameters are passed over; of a filter nobody may think that it was heeded."""
    if "filter" in query:
        raise ScimError(403, "this list is not filtered")


def _describe_type(name: str, base: str) -> Json:
    endpoint, description, schema = _RESOURCES[name]
    return {
        "schemas": [CORE + "ResourceType"],
        "id": name,
        "name": name,
        "endpoint": endpoint,
        "description": description,
        "schema": schema,
        "schemaExtensions": [],
        "meta": {"resourceType": "ResourceType", "location": f"{base}/ResourceTypes/{name}"},
    }


def _describe_schema(urn: str, base: str) -> Json:
    name = urn.rpartition(":")[2]
    return {
        "schemas": [CORE + "Schema"],
        "id": urn,
        "name": name,
        "description": _RESOURCES[name][1],
        "attributes": list(_ATTRIBUTES[urn]),
        "meta": {"resourceType": "Schema", "location": f"{base}/Schemas/{urn}"},
    }


def _attribute(name: str, description: str, kind: str = "string", **more: object) -> Json:
    """An attribute with the characteristics that RFC 7643 §7 demands, the usual ones unsaid."""
    attribute: Json = {
        "name": name,
        "type": kind,
        "multiValued": False,
        "description": description,
        "required": False,
        "mutability": "readWrite",
        "returned": "default",
    }
    if kind in {"string", "reference"}:
        attribute |= {"caseExact": kind == "reference", "uniqueness": "none"}
    return attribute | more


_READ_ONLY: Json = {"mutability": "readOnly"}
_ATTRIBUTES: Mapping[str, tuple[Json, ...]] = {
    _USER: (
        _attribute(
            "userName",
            "The e-mail address, by which the person signs in; another one is another person",
            required=True,
            mutability="immutable",
            uniqueness="server",
        ),
        _attribute("displayName", "The name as it is shown"),
        _attribute(
            "name",
            "Read where displayName is not sent",
            "complex",
            subAttributes=[
                _attribute("formatted", "The whole name"),
                _attribute("givenName", "The first name", mutability="writeOnly", returned="never"),
                _attribute("familyName", "The last name", mutability="writeOnly", returned="never"),
            ],
        ),
        _attribute(
            "emails",
            "The address of userName",
            "complex",
            multiValued=True,
            subAttributes=[
                _attribute("value", "The address", **_READ_ONLY),
                _attribute("type", "Always work", canonicalValues=["work"], **_READ_ONLY),
                _attribute("primary", "Always true", "boolean", **_READ_ONLY),
            ],
            **_READ_ONLY,
        ),
        _attribute("active", "Whether the person may sign in, and their keys work", "boolean"),
        _attribute(
            "groups",
            "The role that the person has",
            "complex",
            multiValued=True,
            subAttributes=[
                _attribute("value", "The id of the role", **_READ_ONLY),
                _attribute("display", "What the role is called", **_READ_ONLY),
            ],
            **_READ_ONLY,
        ),
    ),
    _GROUP: (
        _attribute("displayName", "What the role is called", required=True, **_READ_ONLY),
        _attribute(
            "members",
            "Who has the role; added and removed one by one",
            "complex",
            multiValued=True,
            subAttributes=[
                _attribute("value", "The id of a person", mutability="immutable"),
                _attribute("display", "Their address", **_READ_ONLY),
                _attribute(
                    "$ref", "Their address here", "reference", referenceTypes=["User"], **_READ_ONLY
                ),
            ],
        ),
    ),
}
