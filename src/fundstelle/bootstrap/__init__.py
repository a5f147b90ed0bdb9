"""The composition root: settings to wired services. The only place that picks adapters.

In comes ``Settings``, out go a library (``library``), accounts (``accounts``) or all of a server
(``application``); each imports no more than it wires, so that a command starts with what it needs.
"""
