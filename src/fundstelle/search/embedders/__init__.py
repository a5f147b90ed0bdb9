"""The models that ``bootstrap`` can choose from, behind ``search.meaning.embedder``."""
