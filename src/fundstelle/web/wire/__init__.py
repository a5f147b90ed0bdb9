"""HTTP/1.1 on the wire, bounded: what a client may send, and for how long it may take.

In come bytes of a connection; out goes an ASGI request whose head, body and pace are within limits,
or a refusal. Begin with ``protocol``, which reads requests; ``connection`` is how long one lasts.
"""
