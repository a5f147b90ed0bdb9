"""The authorization server: OAuth 2.1 for clients that people connect in a browser."""
