"""One module for each publisher."""
