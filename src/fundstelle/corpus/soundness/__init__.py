"""Whether a build is still what was written: its folder goes in, findings come out.

``inventory`` says what a build consists of, ``check`` compares; ``choose`` picks the build to serve
by it, ``background`` reads the one that is served whole, once a day. Begin with ``check``.
"""
