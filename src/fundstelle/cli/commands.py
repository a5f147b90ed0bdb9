"""The commands by name; each module is imported when its command runs, not to list them."""

from dataclasses import dataclass
from importlib import import_module

import click


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command is, and what the list says of it."""

    place: str
    help: str


COMMANDS = {
    "up": LazyCommand("up:up", "Build the corpus if there is none, create a first key, serve."),
    "serve": LazyCommand("serve:serve", "Serve the MCP endpoint at POST /mcp until Ctrl-C."),
    "doctor": LazyCommand(
        "examining.doctor:doctor", "Say what is wrong with this server, and what to do."
    ),
    "stdio": LazyCommand(
        "stdio:stdio", "Speak MCP on standard input and output, for clients that start programs."
    ),
    "connect": LazyCommand(
        "connecting.connect:connect", "Connect a client on this machine: show, write or undo it."
    ),
    "ingest": LazyCommand(
        "ingest:ingest", "Build the corpus from official files and make it live."
    ),
    "update": LazyCommand(
        "update:update_command", "Bring every source of the live build up to date."
    ),
    "corpus": LazyCommand("corpus:corpus", "List, verify, prune and activate corpus builds."),
    "build": LazyCommand("build:build", "Send builds to other servers; fetch them there."),
    "embed": LazyCommand("embed:embed", "Give the norms of the live build their vectors."),
    "keys": LazyCommand(
        "accounts.keys:keys", "Create, list and revoke the API keys of this server."
    ),
    "audit": LazyCommand(
        "accounts.audit:audit", "Export and verify the log of sign-ins, keys, acts and calls."
    ),
    "backup": LazyCommand(
        "backup:backup", "Back up the data folder while the server runs; restore it."
    ),
    "users": LazyCommand(
        "accounts.users:users", "Invite, list and disable the people of this server."
    ),
    "signing-keys": LazyCommand(
        "accounts.signing_keys:signing_keys", "List and rotate the keys that sign access tokens."
    ),
    "lookup": LazyCommand(
        "asking.lookup:lookup", "Look a citation up: the text, its Stand and its source."
    ),
    "check": LazyCommand(
        "checking.check:check", "Check every citation and quotation of a draft: text, Word, PDF."
    ),
    "verify": LazyCommand(
        "verifying.verify:verify", "Check a saved answer against its release, without the server."
    ),
    "release": LazyCommand("release:release", "Print the key and the root that prove releases."),
    "search": LazyCommand("asking.search:search", "Search the corpus for a question or for words."),
    "cite": LazyCommand("asking.cite:cite", "Say what a citation means, without looking it up."),
    "eval": LazyCommand(
        "evaluation.evaluate:evaluate", "Measure the search on questions with known answers."
    ),
}


class _Words(click.types.StringParamType):
    """Words, and not the name of a file: only that may have bytes that are no UTF-8 (PEP 383)."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The same; what cannot be written out again could not be looked up, kept or printed."""
        words: str = super().convert(value, param, ctx)
        try:
            words.encode()
        except UnicodeEncodeError:
            self.fail("it holds bytes that are no UTF-8; see how this terminal writes", param, ctx)
        return words


_WORDS = _Words()


def _require_words(command: click.Command) -> None:
    """See that each parameter that nobody gave a type is given words, in all its commands."""
    for param in command.params:
        if type(param.type) is click.types.StringParamType:
            param.type = _WORDS
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _require_words(below)


class Commands(click.Group):
    """A group that knows its commands by name and imports the one that is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order in which they are met."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, ``None`` if there is none of this name."""
        del ctx
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module, name = entry.place.split(":")
        command = getattr(import_module(f"fundstelle.cli.{module}"), name)
        assert isinstance(command, click.Command)
        _require_words(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list, with nothing imported for it."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])
