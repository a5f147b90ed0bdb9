"""What the specification asks of a server like ours, and which test proves it.

``proves`` names the requirements of a test; ``test_requirements.py`` fails if one is left without a
test. A name that is not in the list fails when the test is collected.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

_Test = TypeVar("_Test", bound=Callable[..., object])

_SITE = "https://modelcontextprotocol.io/specification/"
_NEWEST = _SITE + "2026-07-28/"
_LEGACY = _SITE + "2025-11-25/"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One behaviour: the sentence, and where it is asked for."""

    claim: str
    source: str


_TRANSPORT = _NEWEST + "basic/transports/streamable-http"
_AUTHORIZATION = _NEWEST + "basic/authorization"
_BASIC = _NEWEST + "basic"

REQUIREMENTS = {
    name: Requirement(claim, source)
    for name, claim, source in (
        ("host", "A host that is not ours is refused.", _TRANSPORT),
        ("origin", "An origin that is not ours is answered with 403.", _TRANSPORT),
        ("challenge", "Missing or wrong credentials are answered with 401.", _AUTHORIZATION),
        ("key-place", "A credential in the address is refused.", _AUTHORIZATION),
        ("post-only", "Every other HTTP method is answered with 405.", _TRANSPORT),
        ("media-types", "Content-Type and Accept are checked, leniently.", _TRANSPORT),
        ("body-limit", "A body beyond the limit is answered with 413.", _TRANSPORT),
        ("rate", "Calls beyond the rate are answered with 429 and the wait.", _TRANSPORT),
        ("cors", "Pages of an allowed origin may call.", _TRANSPORT),
        ("parse", "What is not JSON is answered with -32700.", _BASIC),
        ("shape", "What is no JSON-RPC request is answered with -32600.", _BASIC),
        ("id", "An id is a string or an integer and comes back as it was sent.", _BASIC),
        ("notifications", "Notifications are answered with 202 and no body.", _TRANSPORT),
        ("no-session", "No session id is given out, and one that is sent is ignored.", _TRANSPORT),
        ("initialize", "Every version asked for is answered.", _LEGACY + "basic/lifecycle"),
        ("no-header", "A legacy request needs no version header.", _LEGACY + "basic/transports"),
        ("era", "The body decides the era; the headers must agree.", _TRANSPORT),
        ("versions", "An unknown version is answered with those served.", _BASIC + "/versioning"),
        ("header-once", "A header sent twice matches nothing.", _TRANSPORT),
        ("name-header", "Mcp-Name may be base64 of UTF-8, decoded strictly.", _TRANSPORT),
        ("removed", "A method unknown to the modern era is 404 and -32601.", _TRANSPORT),
        ("unknown-method", "A method unknown to the legacy era is 200 and -32601.",
         _LEGACY + "basic"),
        ("unknown-tool", "An unknown tool is -32602, wrong arguments are a result.",
         _NEWEST + "server/tools"),
        ("unknown-resource", "An unknown resource is -32602, before 2026 -32002.",
         _NEWEST + "server/resources"),
        ("unknown-prompt", "An unknown prompt or a missing argument is -32602.",
         _NEWEST + "server/prompts"),
        ("cursor", "An unknown cursor is -32602, the empty one too.",
         _NEWEST + "server/utilities/pagination"),
        ("completion", "Completion suggests at most 100 values, or none.",
         _NEWEST + "server/utilities/completion"),
        ("results", "Every result has the shape of its revision.", _NEWEST + "schema"),
        ("content", "Content that a revision does not know is sent as text.",
         _SITE + "2024-11-05/server/tools"),
        ("caching", "Lists and contents say how long they may be kept.",
         _NEWEST + "server/utilities/caching"),
        ("subscription", "A subscription is acknowledged under its id and ends.",
         _NEWEST + "basic/utilities/subscriptions"),
        ("batch", "Batches are taken at 2025-03-26 and nowhere else.", _SITE + "2025-03-26/basic"),
        ("bare-errors", "A fault of ours is -32603 and shows nothing of the inside.", _BASIC),
        ("malformed", "Whatever is sent is answered, never with a fault of ours.", _BASIC),
        ("discreet-log", "The log holds neither a credential nor a question.", _AUTHORIZATION),
        ("no-corpus", "Without a corpus or keys the answer is 503 and says when to ask again.",
         _TRANSPORT),
        ("swap", "Another build takes over without a failed request.", _TRANSPORT),
        ("operations", "Health, readiness and metrics have addresses of their own.", _TRANSPORT),
    )
}  # fmt: skip

PROVEN: defaultdict[str, set[str]] = defaultdict(set)
"""Requirement → the tests that prove it."""


def proves(*names: str) -> Callable[[_Test], _Test]:
    """Say which requirements a test proves.

    Raises:
        KeyError: one of them is not in the list.
    """

    def note(test: _Test) -> _Test:
        for name in names:
            REQUIREMENTS[name]
            PROVEN[name].add(f"{test.__module__}.{test.__qualname__}")
        return test

    return note
