"""Why there is no release."""


class ReleaseError(Exception):
    """One sentence on what is wrong and what to do."""
