"""What we can find: the words of a question to the norms that hold them."""
