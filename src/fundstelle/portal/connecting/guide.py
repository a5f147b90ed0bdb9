"""How a program is connected: its ways, of which people take one, and the steps of each.

Texts are keys of ``texts/connect.tsv``; what is pasted or opened comes from ``fundstelle.clients``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from fundstelle.clients import catalogue, snippets
from fundstelle.clients.files import ConfigFile
from fundstelle.clients.target import Target

Write = Callable[[Target], str]


class Group(StrEnum):
    """Where a program runs, as the overview sorts them."""

    WEB = "web"
    DESKTOP = "desktop"
    EDITOR = "editor"
    TERMINAL = "terminal"
    SERVER = "server"
    CODE = "code"


class Reach(StrEnum):
    """From where a program asks this server."""

    HERE = "here"  # the person's machine
    INTERNET = "internet"  # the vendor's machines
    CONTAINER = "container"  # a server of the firm's own, often in a container


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what to do, and what to paste or to open.

    ``windows`` is what to paste there, if that is another; ``file`` says where a file is.
    """

    text: str
    code: Write | None = None
    windows: Write | None = None
    file: ConfigFile | None = None
    link: Write | None = None
    link_text: str = ""
    download: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to connect; ``title`` names it. Some need a server that the internet reaches."""

    title: str
    steps: tuple[Step, ...]
    takes_key: bool = False
    needs_internet: bool = False


@dataclass(frozen=True, slots=True)
class Guide:
    """A program that people connect; the first way is the best."""

    slug: str
    title: str
    group: Group
    ways: tuple[Way, ...]
    reach: Reach = Reach.HERE
    calls_itself: tuple[str, ...] = ()  # where it signs in; else what begins as its title

    @property
    def takes_key(self) -> bool:
        """Whether one of the ways takes a key."""
        return any(way.takes_key for way in self.ways)

    def list_ways(self, target: Target) -> list[Way]:
        """Those that lead to a server of that address."""
        is_public = target.url.startswith("https:")
        return [way for way in self.ways if is_public or not way.needs_internet]

    def is_called(self, client_name: str) -> bool:
        """Whether a client that has signed in by OAuth is this program."""
        if self.calls_itself:
            return client_name in self.calls_itself
        return client_name.casefold().startswith(self.title.casefold())

    @property
    def is_written(self) -> bool:
        """Whether ``fundstelle connect`` knows it."""
        return catalogue.find_client(self.slug) is not None


URL = Step("connect.paste_url", snippets.write_url)
ALLOW = Step("connect.allow")
KEY = Step("connect.set_key", snippets.write_key_line, snippets.write_key_line_windows)
RESTART = Step("connect.restart")


def sign_in(*steps: Step) -> Way:
    """The way by OAuth."""
    return Way("connect.way_oauth", steps)


def with_key(*steps: Step, title: str = "connect.way_key") -> Way:
    """A way that takes a key."""
    return Way(title, steps, takes_key=True)


def in_file(file: ConfigFile, text: str = "connect.file") -> Step:
    """The step that puts an entry into a file."""
    return Step(text, file.write, file=file)
