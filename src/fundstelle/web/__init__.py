"""The ASGI application around the engine."""
