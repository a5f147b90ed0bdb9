"""Builds on their way from the machine that makes them to those that serve them.

In come the files of a build, out comes the same build in another data folder. ``shipment`` says
what is sent, ``target`` where it lies in between, ``push`` and ``pull`` are the two ends,
``follow`` keeps a replica beside a target, ``prune`` frees one of old releases. Begin with
docs/replicas.md.
"""
