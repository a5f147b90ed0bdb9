"""Fundstelle: verified, citable German and EU law for AI assistants, over MCP."""

__version__ = "0.1.0"
