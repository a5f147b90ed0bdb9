"""Which law is meant: names, titles, versions, EU acts by number, and what is no law at all."""
