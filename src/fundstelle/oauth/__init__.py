"""The authorization server: OAuth 2.1 for clients that people connect in a browser."""

from fundstelle.oauth.routes import build_routes

__all__ = ["build_routes"]
