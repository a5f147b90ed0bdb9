"""Commands that ask the live build, and how their answers read at a terminal."""
