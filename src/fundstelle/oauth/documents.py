"""The metadata documents (RFC 9728, RFC 8414) at every address that clients try."""

from typing import Any

from fundstelle.accounts.oauth.signing_keys import ALGORITHM
from fundstelle.oauth.pkce import METHOD

SCOPE = "legal:read"
OFFLINE = "offline_access"
SCOPES = (SCOPE, OFFLINE)
RESOURCE_PATH = "/mcp"
CHATGPT_PATH = "/mcp/chatgpt"
"""The same server under another address, for a client that compares both with what it was given."""
GRANT_TYPES = ("authorization_code", "refresh_token")
AUTH_METHODS = ("none", "client_secret_basic", "client_secret_post", "private_key_jwt")
ASSERTION_ALGORITHMS = ("ES256", "RS256", "PS256")

RESOURCE_PATHS = {
    "/.well-known/oauth-protected-resource/mcp": RESOURCE_PATH,
    "/.well-known/oauth-protected-resource": RESOURCE_PATH,
    "/.well-known/oauth-protected-resource/mcp/chatgpt": CHATGPT_PATH,
}
"""Where a resource is described, and its path."""
SERVER_PATHS = (
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/mcp",
    "/.well-known/oauth-authorization-server/mcp/chatgpt",
    "/.well-known/openid-configuration/mcp/chatgpt",
)
AUTHORIZE = "/oauth/authorize"
TOKEN = "/oauth/token"  # noqa: S105 an address
REGISTER = "/oauth/register"
REVOKE = "/oauth/revoke"
JWKS = "/oauth/jwks.json"


def list_resources(base_url: str) -> tuple[str, ...]:
    """What tokens may be for, the usual first."""
    return (base_url + RESOURCE_PATH, base_url + CHATGPT_PATH)


def describe_resource(base_url: str, path: str = RESOURCE_PATH) -> dict[str, Any]:
    """Protected resource metadata; ``resource`` is the string that people paste."""
    return {
        "resource": base_url + path,
        "authorization_servers": [base_url],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
        "resource_name": "Fundstelle",
        "resource_documentation": f"{base_url}/",
    }


def describe_server(base_url: str) -> dict[str, Any]:
    """Authorization server metadata; what stands here works."""
    return {
        "issuer": base_url,
        "authorization_endpoint": base_url + AUTHORIZE,
        "token_endpoint": base_url + TOKEN,
        "registration_endpoint": base_url + REGISTER,
        "revocation_endpoint": base_url + REVOKE,
        "jwks_uri": base_url + JWKS,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANT_TYPES),
        "code_challenge_methods_supported": [METHOD],
        "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "token_endpoint_auth_signing_alg_values_supported": list(ASSERTION_ALGORITHMS),
        "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "revocation_endpoint_auth_signing_alg_values_supported": list(ASSERTION_ALGORITHMS),
        "scopes_supported": list(SCOPES),
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
        # required of whoever answers at the OpenID address; we sign no ID tokens
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": [ALGORITHM],
        "service_documentation": f"{base_url}/",
    }
