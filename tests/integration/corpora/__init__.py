"""What builds are made of: real archives, invented laws, and the pipeline on them."""
