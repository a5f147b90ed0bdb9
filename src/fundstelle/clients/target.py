"""What a client is to be connected to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

NAME = "fundstelle"
VARIABLE = "FUNDSTELLE_KEY"

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class Target:
    """The server and the key that a configuration is written for.

    Args:
        base_url: of the server, without a path.
        key: the fresh key where it may stand, else a placeholder.
        command: what starts Fundstelle on the client's machine.
    """

    base_url: str
    key: str
    command: str = "fundstelle"

    @property
    def url(self) -> str:
        """The MCP address, the string that people paste."""
        return f"{self.base_url}/mcp"

    @property
    def is_loopback(self) -> bool:
        """Whether only programs on the server's own machine reach it."""
        return urlsplit(self.base_url).hostname in _LOOPBACK

    @property
    def bridge(self) -> "Launch":
        """The program that stands between a client without HTTP and the server."""
        return Launch(self.command, ("stdio", "--url", self.url), {VARIABLE: self.key})


@dataclass(frozen=True, slots=True)
class Launch:
    """A program that a client starts, to speak MCP with it on standard input and output."""

    command: str
    arguments: tuple[str, ...]
    environ: Mapping[str, str] = field(default_factory=dict)
