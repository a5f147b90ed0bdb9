"""Guards against guessing: an attempt and where it comes from in, seconds to wait out.

Begin with ``limits``, which says what is counted and what it costs; ``throttle`` counts in the
accounts database, ``devices`` knows the browsers in which somebody has signed in before.
"""
