"""The eight MCP tools, the resources and the prompts."""
