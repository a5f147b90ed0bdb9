"""The answers of the tools, on real law."""
