"""The engine below ``accounts.store``: how it connects, how long it waits, whether it answers.

An address comes in, an engine goes out on which nothing waits without end. Begin with ``engines``.
"""
