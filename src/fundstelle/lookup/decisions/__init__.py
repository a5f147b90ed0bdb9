"""Decisions by docket, ECLI or page, and whether a norm's text is the one they applied."""
