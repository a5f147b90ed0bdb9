"""``fundstelle check``: a draft as text, Word document or PDF, and verdicts on what it cites."""
