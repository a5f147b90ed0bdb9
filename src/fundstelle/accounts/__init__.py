"""API keys and their limits: who may ask, and how often.

``store`` owns the database, ``api_keys`` the credentials, ``quotas`` the rate limit. Nothing here
knows HTTP.
"""
