"""Administration, for admins alone.

``people`` is who has an account, with ``invitations`` that wait and ``endings`` that are confirmed
first; ``audit_log`` reads the log as sentences; ``server`` is the rest: keys, clients, rules,
signing keys, the corpus.
"""
