"""Trains the model of the package (``search.meaning.student``) from what a build holds.

texts    the terms of a build's norms and of sentences that cite them, as numbers
pairs    what a norm may be asked with, and what answers: the examples to learn from
fit      vectors of terms that bring the two sides of a pair together
"""
