"""What a search does over any engine: read the question, find candidates, order them.

In come documents, sentences and requests, out go the files beside an index and results. An engine
brings what counts and finds terms (``texts``). Begin with ``index``; ``building`` makes it.
"""
