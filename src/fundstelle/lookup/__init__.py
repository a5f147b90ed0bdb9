"""Citation and day to fassung; question to hits: joins citations, corpus and search."""
