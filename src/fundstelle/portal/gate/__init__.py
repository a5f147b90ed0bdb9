"""Lets requests for pages in: which may come now, and which threads make them.

In comes a request, out goes "go on", or for how long it is refused. ``Gate`` in ``gate.py`` puts
the parts together: ``rooms`` (threads of their own, a short queue), counts of what strangers ask
for, and ``visitors`` (who is signed in and therefore none).
"""
