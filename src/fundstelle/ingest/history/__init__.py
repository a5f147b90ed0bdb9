"""Several days of one law: snapshots, their series, versions, and what a build takes over."""
