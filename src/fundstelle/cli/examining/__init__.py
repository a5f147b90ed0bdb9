"""``fundstelle doctor``: settings go in, findings come out, each with what to do.

``doctor`` is the command; ``machine``, ``clock``, ``sources``, ``build`` and ``server`` each look
at one thing and change nothing. Begin with ``findings``, which says what they give.
"""
