"""Connecting a client: one tab a client, each with what it really reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.clients import catalogue, snippets
from fundstelle.clients.target import Target
from fundstelle.portal.connecting.connector import write_definition
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit

PLACEHOLDER = "sk-legal-…"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what to do (a text's key), and what to paste or to open."""

    text: str
    code: Callable[[Target], str] | None = None
    link: Callable[[Target], str] | None = None
    link_text: str = ""
    download: str = ""


@dataclass(frozen=True, slots=True)
class ClientGuide:
    """A program that people connect."""

    slug: str
    title: str
    steps: tuple[Step, ...]
    takes_key: bool = True


@dataclass(frozen=True, slots=True)
class Snippet:
    """A step as the page shows it."""

    instruction: str | Markup
    code: str
    link: str
    link_text: str | Markup
    download: str


_URL = Step("connect.paste_url", snippets.write_url)
_KEY = Step("connect.set_key", snippets.write_key_line)

CLIENTS: tuple[ClientGuide, ...] = (
    ClientGuide(
        "claude-ai",
        "Claude.ai",
        (Step("connect.claude_ai_open"), _URL, Step("connect.allow")),
        takes_key=False,
    ),
    ClientGuide(
        "claude-desktop",
        "Claude Desktop",
        (
            Step("connect.claude_desktop_public"),
            Step("connect.claude_desktop_file", snippets.write_claude_desktop),
            Step("connect.restart"),
        ),
    ),
    ClientGuide(
        "claude-code",
        "Claude Code",
        (
            Step("connect.run", snippets.write_claude_code),
            Step("connect.claude_code_file", catalogue.CLAUDE_CODE.write),
        ),
    ),
    ClientGuide(
        "chatgpt",
        "ChatGPT",
        (Step("connect.chatgpt_open"), _URL, Step("connect.allow")),
        takes_key=False,
    ),
    ClientGuide(
        "cursor",
        "Cursor",
        (
            Step("connect.cursor_file", catalogue.CURSOR.write),
            _KEY,
            Step(
                "connect.cursor_link",
                link=snippets.write_cursor_link,
                link_text="connect.open_cursor",
            ),
        ),
    ),
    ClientGuide(
        "vs-code",
        "VS Code",
        (
            Step(
                "connect.vs_code_link",
                link=snippets.write_vs_code_link,
                link_text="connect.open_vs_code",
            ),
            Step("connect.vs_code_file", catalogue.VS_CODE.write),
        ),
    ),
    ClientGuide("windsurf", "Windsurf", (Step("connect.windsurf_file", catalogue.WINDSURF.write),)),
    ClientGuide("zed", "Zed", (Step("connect.zed_file", catalogue.ZED.write),)),
    ClientGuide("gemini-cli", "Gemini CLI", (Step("connect.run", snippets.write_gemini),)),
    ClientGuide(
        "codex-cli",
        "Codex CLI",
        (
            Step("connect.codex_file", catalogue.CODEX.write),
            _KEY,
            Step("connect.codex_sign_in", snippets.write_codex_sign_in),
        ),
    ),
    ClientGuide(
        "copilot-studio",
        "Copilot Studio",
        (
            Step("connect.copilot_open"),
            _URL,
            Step("connect.copilot_key", snippets.write_header_value),
            Step(
                "connect.copilot_file",
                link=lambda _: "/connect/connector.json",
                link_text="connect.download_key",
                download="fundstelle-api-key.swagger.json",
            ),
            Step(
                "connect.copilot_oauth",
                link=lambda _: "/connect/connector-oauth.json",
                link_text="connect.download_oauth",
                download="fundstelle-oauth.swagger.json",
            ),
        ),
    ),
    ClientGuide(
        "python",
        "Python SDK",
        (
            Step("connect.python_install", lambda _: "pip install mcp"),
            _KEY,
            Step("connect.run_program", snippets.write_python),
        ),
    ),
    ClientGuide(
        "typescript",
        "TypeScript SDK",
        (
            Step("connect.typescript_install", lambda _: "npm install @modelcontextprotocol/sdk"),
            _KEY,
            Step("connect.run_program", snippets.write_typescript),
        ),
    ),
    ClientGuide("curl", "curl", (Step("connect.run", snippets.write_curl),)),
)


def find_client(slug: str) -> ClientGuide | None:
    """The client of that name in addresses."""
    return next((client for client in CLIENTS if client.slug == slug), None)


def write_snippets(client: ClientGuide, visit: Visit, key: str) -> Sequence[Snippet]:
    """The steps for this server and this key, in the visit's language."""
    target = Target(visit.services.settings.base_url, key)
    return [
        Snippet(
            visit.t(step.text),
            step.code(target) if step.code else "",
            step.link(target) if step.link else "",
            visit.t(step.link_text) if step.link_text else "",
            step.download,
        )
        for step in client.steps
    ]


def build_routes(pages: Pages) -> list[Route]:
    """The pages of clients and the definitions of the connector."""
    return [
        pages.route("/connect", show_client),
        pages.route("/connect/connector.json", download_key_definition, Needs.NOBODY),
        pages.route("/connect/connector-oauth.json", download_oauth_definition, Needs.NOBODY),
        pages.route("/connect/{client}", show_client),
    ]


def show_client(visit: Visit) -> Response:
    """One client's steps; without a name the first's."""
    slug = visit.request.path_params.get("client", CLIENTS[0].slug)
    client = find_client(slug)
    if client is None:
        return visit.render("problem.html", status=404, title="problem.missing", code=404)
    return visit.render(
        "connect.html",
        client=client,
        clients=CLIENTS,
        snippets=write_snippets(client, visit, PLACEHOLDER),
        url=f"{visit.services.settings.base_url}/mcp",
    )


def download_key_definition(visit: Visit) -> Response:
    """The connector for Power Platform, signed in by an API key."""
    return _download(visit, oauth=False)


def download_oauth_definition(visit: Visit) -> Response:
    """The connector for Power Platform, signed in by OAuth."""
    return _download(visit, oauth=True)


def _download(visit: Visit, *, oauth: bool) -> Response:
    body = write_definition(visit.services.settings.base_url, oauth=oauth)
    return Response(body, media_type="application/json")
