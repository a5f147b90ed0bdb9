"""Whether a quote stands in a text, where else it stands, and which words differ.

Begin with ``quotes``. What a quote may cost is bounded, whatever it is: ``resemblance`` finds the
place most like it, ``effort`` counts.
"""
