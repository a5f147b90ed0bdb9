"""The search: words, meaning, ranking, facets, and the cluster's client."""
