"""The engine on a cluster of OpenSearch nodes, for several servers and more texts than one holds.

In come texts and sentences as terms, out go hits; what the stages know beside an index stays in
the build's folder. Begin with ``storage`` and ``texts``; ``cluster`` asks, ``engine`` joins all.
"""
