"""What the tools answer: the envelope, norms, decisions, hits, and the schema of each."""
