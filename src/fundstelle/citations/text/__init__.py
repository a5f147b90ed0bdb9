"""Words before they are read: damaged text made clean, folded names, dates, numerals, tables."""
