"""The revisions of the Model Context Protocol that one endpoint serves.

*Legacy* revisions open with ``initialize``; the *modern* one has no handshake: every request
carries its own metadata. Source: MCP specification, "Versioning" and each revision's changelog.
"""

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
SUPPORTED = (MODERN, *LEGACY)
"""Newest first; the same list in ``server/discover`` and in the error for an unknown version."""

NEWEST_LEGACY = LEGACY[0]
WITHOUT_HEADER = "2025-03-26"
"""What a legacy request without a version header is taken for (Streamable HTTP, 2025-06-18)."""

BATCHES = "2025-03-26"
"""The only revision that knows JSON-RPC batches."""

RESOURCE_LINKS_SINCE = "2025-06-18"
AUDIO_SINCE = "2025-03-26"


def negotiate(requested: object) -> str:
    """What ``initialize`` answers with: the version asked for if it is legacy, else the newest."""
    return requested if isinstance(requested, str) and requested in LEGACY else NEWEST_LEGACY
