"""The embedded engine: indexes that are files of tantivy, in the process that searches.

In come texts and sentences as terms, out go hits. Begin with ``storage``; ``engine`` joins it to
the stages.
"""

from fundstelle.search.engines.tantivy.engine import TantivyEngine

__all__ = ["TantivyEngine"]
