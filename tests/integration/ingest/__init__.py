"""From files to a build: what is read, refused, learnt, and what a stop leaves behind."""
