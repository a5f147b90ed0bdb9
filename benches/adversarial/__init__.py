"""A genetic search for slow inputs: out come the slowest that each component was found to take.

``genes`` are the pieces of which texts are made, ``components`` what is timed, ``evolve`` the
search. Begin with ``__main__``.
"""
