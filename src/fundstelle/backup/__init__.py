"""Backups: a data folder in, one file out that can be verified and restored.

Begin with ``contents``, which says what is in one; ``archive`` is the file, ``create``, ``verify``
and ``restore`` are the three commands.
"""
