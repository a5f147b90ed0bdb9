"""A whole server with people in it, and who visits it."""
