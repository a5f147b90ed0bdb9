"""MCP over standard input and output: lines in, lines out, the same engine or a server behind it.

Begin with ``channel``, which moves the lines; ``lines`` makes of each what ``POST /mcp`` would be
sent, and of the answer lines again; ``local`` asks an engine, ``bridge`` a server.
Source: MCP 2026-07-28 and each revision before it, "Transports": stdio.
"""
