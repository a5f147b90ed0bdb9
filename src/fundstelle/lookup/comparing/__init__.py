"""Where a quote that does not stand in a text comes nearest to it.

In come a text and the parts of a quote; out go the place most like it and the words that differ.
What it costs is bounded, whatever the quote; begin reading with ``resemblance``.
"""
