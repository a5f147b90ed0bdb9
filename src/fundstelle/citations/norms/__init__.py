"""Citations of norms: from an anchor in the text to a list of sections with their paths."""
