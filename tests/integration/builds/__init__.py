"""Builds on disk: kept, proved, damaged, shared, shipped, gone back to."""
