"""The clients that read a configuration file, with what each of them permits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fundstelle.clients.files import ConfigFile, Entry, Form, Place, everywhere
from fundstelle.clients.target import NAME, VARIABLE, Launch, Target

KEY_INPUT = {
    "type": "promptString",
    "id": "fundstelle-key",
    "description": "Fundstelle API key",
    "password": True,
}
"""What VS Code asks once and keeps."""

_CODE = Place(
    "~/.config/Code/User",
    "~/Library/Application Support/Code/User",
    "%APPDATA%/Code/User",
)


@dataclass(frozen=True, slots=True)
class Client:
    """A client, its file, and how it is signed in after that: by OAuth, if ``signs_in``."""

    slug: str
    title: str
    file: ConfigFile
    signs_in: bool = False


def _bearer(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _with_header(address: str, key: str | None = None, **more: object) -> Callable[[Target], Entry]:
    """An entry with the address under that name, and a header; without ``key`` the key itself."""

    def build(target: Target) -> Entry:
        return {**more, address: target.url, "headers": _bearer(key or target.key)}

    return build


def _start(launch: Launch) -> Entry:
    """How most clients write a program."""
    entry: dict[str, object] = {"command": launch.command, "args": list(launch.arguments)}
    return {**entry, "env": dict(launch.environ)} if launch.environ else entry


def _start_typed(launch: Launch) -> Entry:
    return {"type": "stdio", **_start(launch)}


def _start_goose(launch: Launch) -> Entry:
    return {
        "name": NAME,
        "type": "stdio",
        "enabled": True,
        "cmd": launch.command,
        "args": list(launch.arguments),
        "envs": dict(launch.environ),
        "timeout": 300,
    }


def _start_opencode(launch: Launch) -> Entry:
    command = [launch.command, *launch.arguments]
    entry: dict[str, object] = {"type": "local", "command": command, "enabled": True}
    return {**entry, "environment": dict(launch.environ)} if launch.environ else entry


def _below_code(path: str) -> Place:
    return Place(f"{_CODE.linux}/{path}", f"{_CODE.macos}/{path}", f"{_CODE.windows}/{path}")


CLAUDE_DESKTOP = ConfigFile(
    Form.JSON,
    Place(
        "~/.config/Claude/claude_desktop_config.json",
        "~/Library/Application Support/Claude/claude_desktop_config.json",
        "%APPDATA%/Claude/claude_desktop_config.json",
    ),
    ("mcpServers",),
    _start,
    holds_key=True,
)
CLAUDE_CODE = ConfigFile(
    Form.JSON,
    everywhere(".mcp.json"),
    ("mcpServers",),
    _start_typed,
    _with_header("url", f"${{{VARIABLE}}}", type="http"),
    needs_variable=True,
)
CURSOR = ConfigFile(
    Form.JSON,
    everywhere("~/.cursor/mcp.json"),
    ("mcpServers",),
    _start,
    _with_header("url", f"${{env:{VARIABLE}}}"),
    needs_variable=True,
)
VS_CODE = ConfigFile(
    Form.JSONC,
    _below_code("mcp.json"),
    ("servers",),
    _start_typed,
    _with_header("url", "${input:fundstelle-key}", type="http"),
    lists={"inputs": KEY_INPUT},
)
WINDSURF = ConfigFile(
    Form.JSON,
    everywhere("~/.codeium/windsurf/mcp_config.json"),
    ("mcpServers",),
    _start,
    _with_header("serverUrl", f"${{env:{VARIABLE}}}"),
    needs_variable=True,
)
ZED = ConfigFile(
    Form.JSONC,
    Place(
        "~/.config/zed/settings.json", "~/.config/zed/settings.json", "%APPDATA%/Zed/settings.json"
    ),
    ("context_servers",),
    _start,
    lambda target: {"url": target.url},
)
GEMINI = ConfigFile(
    Form.JSONC,
    everywhere("~/.gemini/settings.json"),
    ("mcpServers",),
    _start,
    _with_header("url", f"${{{VARIABLE}}}", type="http"),
    needs_variable=True,
)
CODEX = ConfigFile(
    Form.TOML,
    everywhere("~/.codex/config.toml"),
    ("mcp_servers",),
    _start,
    lambda target: {"url": target.url, "bearer_token_env_var": VARIABLE},
    needs_variable=True,
)
JETBRAINS = ConfigFile(
    Form.JSON, everywhere("~/.junie/mcp/mcp.json"), ("mcpServers",), _start, holds_key=True
)
LM_STUDIO = ConfigFile(
    Form.JSON,
    everywhere("~/.lmstudio/mcp.json"),
    ("mcpServers",),
    _start,
    _with_header("url"),
    holds_key=True,
)
CLINE = ConfigFile(
    Form.JSON,
    _below_code("globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
    ("mcpServers",),
    _start,
    _with_header("url", type="streamableHttp"),
    holds_key=True,
)
ROO = ConfigFile(
    Form.JSON,
    _below_code("globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
    ("mcpServers",),
    _start,
    _with_header("url", f"${{env:{VARIABLE}}}", type="streamable-http"),
    needs_variable=True,
)
GOOSE = ConfigFile(
    Form.YAML,
    Place(
        "~/.config/goose/config.yaml",
        "~/.config/goose/config.yaml",
        "%APPDATA%/Block/goose/config/config.yaml",
    ),
    ("extensions",),
    _start_goose,
    lambda target: {
        "name": NAME,
        "type": "streamable_http",
        "enabled": True,
        "uri": target.url,
        "timeout": 300,
    },
)
OPENCODE = ConfigFile(
    Form.JSONC,
    everywhere("~/.config/opencode/opencode.json"),
    ("mcp",),
    _start_opencode,
    lambda target: {"type": "remote", "url": target.url, "enabled": True},
)

CLIENTS: tuple[Client, ...] = (
    Client("claude-desktop", "Claude Desktop", CLAUDE_DESKTOP),
    Client("claude-code", "Claude Code", CLAUDE_CODE),
    Client("cursor", "Cursor", CURSOR),
    Client("vs-code", "VS Code", VS_CODE),
    Client("windsurf", "Windsurf", WINDSURF),
    Client("zed", "Zed", ZED, signs_in=True),
    Client("gemini-cli", "Gemini CLI", GEMINI),
    Client("codex-cli", "Codex CLI", CODEX),
    Client("jetbrains", "JetBrains", JETBRAINS),
    Client("lm-studio", "LM Studio", LM_STUDIO),
    Client("cline", "Cline", CLINE),
    Client("roo", "Roo Code", ROO),
    Client("goose", "Goose", GOOSE, signs_in=True),
    Client("opencode", "opencode", OPENCODE, signs_in=True),
)


def find_client(slug: str) -> Client | None:
    """The client of that name, ``None`` if there is none that reads a file."""
    return next((client for client in CLIENTS if client.slug == slug), None)
