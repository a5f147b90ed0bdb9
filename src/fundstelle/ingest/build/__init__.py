"""One ingestion from snapshots to a live build. Begin with ``pipeline``."""
