"""The audit log: what is taken down, kept, and found where it was tampered with."""
