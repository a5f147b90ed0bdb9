"""Who may ask, and how often: people, keys, grants, their limits, and the log of what they did.

``database`` opens the store that all else is kept in; ``people``, ``keys`` and ``oauth`` are the
three kinds of credentials; ``limits`` and ``guessing`` bound what is asked and tried; ``audit`` is
the chained log. Nothing here knows HTTP.
"""
