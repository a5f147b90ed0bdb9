"""How much one sender, or one seat, may have.

``quotas`` counts calls of a seat and begins with what is counted where; ``token_buckets`` is the
rate in this process, ``quota_counters`` and ``shared_store`` the counts that servers share.
``places`` bounds what is under way at one moment.
"""
