"""What the search index is given: documents, priors, labelled sentences, the learned order."""
