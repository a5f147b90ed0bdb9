"""The protocol engine: JSON-RPC 2.0 and MCP, every revision, without state."""
