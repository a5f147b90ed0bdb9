"""What comes after the first build: in turn as at once."""
