"""The stored text of a norm: its lines, sentences and marked parts."""
