"""The bundle for Claude Desktop and other clients that install ``.mcpb`` files: one double click.

It holds the bridge for the Node.js that those clients bring, and asks for the address and the key,
which the client keeps in the key store of the system.
Source: ``@anthropic-ai/mcpb``, MANIFEST.md, manifest version 0.3.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from fundstelle import __version__
from fundstelle.clients.target import NAME, VARIABLE, Target

MEDIA_TYPE = "application/zip"
FILE_NAME = f"{NAME}.mcpb"

_ENTRY = "server/bridge.js"
_WRITTEN = (2026, 1, 1, 0, 0, 0)  # the same bytes for the same server, whenever they are made


def build_manifest(target: Target) -> Mapping[str, Any]:
    """What the bundle says of itself; the server's address stands in the form already."""
    return {
        "manifest_version": "0.3",
        "name": NAME,
        "display_name": "Fundstelle",
        "version": __version__,
        "description": "German and EU law: exact official texts, with Fundstelle, Stand and source",
        "author": {"name": "Fundstelle"},
        "license": "Apache-2.0",
        "keywords": ["law", "Germany", "EU", "statutes", "court decisions", "citations"],
        "server": {
            "type": "node",
            "entry_point": _ENTRY,
            "mcp_config": {
                "command": "node",
                "args": [f"${{__dirname}}/{_ENTRY}"],
                "env": {
                    "FUNDSTELLE_URL": "${user_config.url}",
                    VARIABLE: "${user_config.key}",
                },
            },
        },
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"node": ">=18.0.0"},
        },
        "user_config": {
            "url": {
                "type": "string",
                "title": "Address of the server",
                "description": "It ends in /mcp",
                "default": target.url,
                "required": True,
            },
            "key": {
                "type": "string",
                "title": "API key",
                "description": "From the page 'Keys' of the server; it begins with sk-legal-",
                "sensitive": True,
                "required": True,
            },
        },
    }


def write_bundle(target: Target) -> bytes:
    """The file; the key of ``target`` is not in it."""
    manifest = json.dumps(build_manifest(target), indent=2, ensure_ascii=False)
    bridge = files("fundstelle.clients").joinpath("data/bridge.js").read_text("utf-8")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in (("manifest.json", manifest), (_ENTRY, bridge)):
            entry = zipfile.ZipInfo(name, _WRITTEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, text)
    return buffer.getvalue()
