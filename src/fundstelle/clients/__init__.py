"""The programs that connect to this server, and what each of them reads.

``files`` is what stands in a configuration file, ``snippets`` what is run, opened or pasted
instead; ``catalogue`` lists the clients that read a file. The portal shows the same to people that
``fundstelle connect`` writes on their machine. Source: the clients' documentation of November 2026.
"""
