"""What an answer waits for before and behind the engine.

``meter`` counts the call, ``turns`` lets long answers come one after the other, ``apart`` has
threads for those that wait for another server, ``unread`` knows what its client has not read yet.
"""
