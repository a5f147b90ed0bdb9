"""Lets requests for pages in: which may come now, and which threads make them.

In comes a request, out goes "go on", or for how long it is refused. ``Gate`` in ``gate.py`` puts
the two halves together: ``rooms`` (threads of their own, a short queue) and ``visitors`` (how many
pages a network may have that nobody in particular asks for).
"""
