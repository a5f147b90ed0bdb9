"""The network as this server sees it: how other servers are asked, and whose an address is.

``client`` asks them, over ``connections`` to ``addresses`` that may be asked; ``networks`` tells
who asks us.
"""
