"""The connector definition for Power Platform and Copilot Studio: OpenAPI 2.0.

Source: Microsoft, "Extend your agent with MCP", whose host reads ``x-ms-agentic-protocol``.
"""

from urllib.parse import urlsplit

import orjson

_SCOPE = "legal:read"


def write_definition(base_url: str, *, oauth: bool) -> bytes:
    """The file for the server at ``base_url``, as JSON."""
    place = urlsplit(base_url)
    security: dict[str, object] = (
        {
            "type": "oauth2",
            "flow": "accessCode",
            "authorizationUrl": f"{base_url}/oauth/authorize",
            "tokenUrl": f"{base_url}/oauth/token",
            "scopes": {_SCOPE: "Search and read law"},
        }
        if oauth
        else {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    )
    name = "oauth" if oauth else "api_key"
    return orjson.dumps(
        {
            "swagger": "2.0",
            "info": {
                "title": "Fundstelle",
                "description": "German and EU law: statutes and decisions with their sources",
                "version": "1.0",
            },
            "host": place.netloc,
            "basePath": "/",
            "schemes": [place.scheme],
            "consumes": ["application/json"],
            "produces": ["application/json"],
            "paths": {
                "/mcp": {
                    "post": {
                        "summary": "German and EU law",
                        "operationId": "InvokeMCP",
                        "x-ms-agentic-protocol": "mcp-streamable-1.0",
                        "responses": {"200": {"description": "Success"}},
                    }
                }
            },
            "securityDefinitions": {name: security},
            "security": [{name: [_SCOPE] if oauth else []}],
        },
        option=orjson.OPT_INDENT_2,
    )
