"""How much one sender, or one seat, may have.

``take`` counts one for a subject (a seat, a person, a network) and answers with the seconds to wait
if it is one too many, or with nothing; ``look`` answers without counting. Begin with ``limiter``:
a ``Limit`` and who counts against it, ``windows`` here and the throttle of ``accounts.guessing``.
``token_buckets`` bounds the pace within this process, ``quotas`` the calls of a seat in three ways
at once, ``places`` what is under way at one moment. ``counters`` and ``shared_store`` are where
servers count together, and ``answers`` reads what that says; which addresses are one subject says
``net.networks``.
"""
