"""Citations of decisions: docket, court, day, ECLI, page of a collection."""
