"""The models that ``bootstrap`` can choose from, behind the port ``fundstelle.search.embedder``."""
