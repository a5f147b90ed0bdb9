"""Court decisions: one adapter a publisher; ``adapters`` chooses by what a file holds."""
