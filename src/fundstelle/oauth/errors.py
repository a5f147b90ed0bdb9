"""Errors with the codes of the RFCs (6749 §4.1.2.1 and §5.2, 7591 §3.2.2, 8707 §2)."""

from fundstelle.errors import FundstelleError


class OAuthError(FundstelleError):
    """A request that is refused; ``error`` is the RFC's code, the message its description."""

    code = "oauth"

    def __init__(
        self,
        error: str,
        description: str,
        status: int = 400,
        *,
        retry_after_s: float | None = None,
        by_header: bool = False,
    ) -> None:
        super().__init__(f"{error}: {description}")
        self.error = error
        self.description = description
        self.status = status
        self.retry_after_s = retry_after_s
        self.by_header = by_header  # the client authenticated in a header, and is told there


def invalid_client(description: str, *, by_header: bool = False) -> OAuthError:
    """The client is unknown or has not shown who it is."""
    return OAuthError("invalid_client", description, 401, by_header=by_header)


def invalid_grant(description: str) -> OAuthError:
    """The code or refresh token is not good, or not good for this client."""
    return OAuthError("invalid_grant", description)


def invalid_request(description: str) -> OAuthError:
    """A parameter is missing, repeated or malformed."""
    return OAuthError("invalid_request", description)


def away(description: str) -> OAuthError:
    """Somebody else's server does not say now what we need: nothing is known of the client yet."""
    return OAuthError("temporarily_unavailable", description, 503, retry_after_s=30)
