"""The accounts database: its tables, how it connects, how long it waits, whether it answers.

Begin with ``store``, which everything else here is for; ``schema`` and its siblings are the tables,
``engines`` makes sure that nothing waits without end.
"""
