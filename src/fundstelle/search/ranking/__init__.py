"""Order: features, the learned ranking, how it is trained and measured."""
