"""``fundstelle eval``: files of questions with known answers, and how the search does on them."""
