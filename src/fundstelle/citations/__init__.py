"""Citations: text to values. Pure: no corpus, no I/O."""
