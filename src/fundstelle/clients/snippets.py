"""What is run, opened or pasted to connect a client, as that client reads it.

The end-to-end tests hand each snippet to the client it is for, or compare it with what that client
writes itself.
"""

import base64
import json
from urllib.parse import quote

from fundstelle.clients.catalogue import KEY_INPUT, VS_CODE
from fundstelle.clients.target import NAME, VARIABLE, Target

_PYTHON = """\
import asyncio, os
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main() -> None:
    headers = {{"Authorization": f"Bearer {{os.environ['{variable}']}}"}}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client("{url}", http_client=http)
        async with Client(transport) as client:
            answer = await client.call_tool("legal_lookup", {{"citation": "§ 433 BGB"}})
            print(answer.content[0].text)

asyncio.run(main())
"""
_TYPESCRIPT = """\
import {{ Client }} from "@modelcontextprotocol/sdk/client/index.js";
import {{
  StreamableHTTPClientTransport,
}} from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const client = new Client({{ name: "my-app", version: "1.0.0" }});
await client.connect(new StreamableHTTPClientTransport(new URL("{url}"), {{
  requestInit: {{ headers: {{ Authorization: `Bearer ${{process.env.{variable}}}` }} }},
}}));
const answer = await client.callTool({{
  name: "legal_lookup",
  arguments: {{ citation: "§ 433 BGB" }},
}});
console.log(answer.content[0].text);
await client.close();
"""
_CURL = """\
curl -s {url} \\
  -H "Authorization: Bearer {key}" \\
  -H "Content-Type: application/json" \\
  -d '{{"jsonrpc":"2.0","id":1,"method":"tools/list"}}'
"""


_CURL_WINDOWS = """\
curl.exe -s {url} ^
  -H "Authorization: Bearer {key}" ^
  -H "Content-Type: application/json" ^
  -d "{{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"tools/list\\"}}"
"""


def _dump(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def write_url(target: Target) -> str:
    """The address alone."""
    return target.url


def write_chatgpt_url(target: Target) -> str:
    """The address with the two tools that ChatGPT takes outside its developer mode."""
    return f"{target.url}/chatgpt"


def write_key_line(target: Target) -> str:
    """The key as a shell variable."""
    return f"export {VARIABLE}={target.key}"


def write_key_line_windows(target: Target) -> str:
    """The same on Windows, for programs that are started from then on."""
    return f"setx {VARIABLE} {target.key}"


def write_key(target: Target) -> str:
    """The key alone, where a field wants it without the word before it."""
    return target.key


def write_header_line(target: Target) -> str:
    """The whole header."""
    return f"Authorization: Bearer {target.key}"


def write_bridge_command(target: Target) -> str:
    """The program that a client without HTTP starts."""
    return " ".join((target.bridge.command, *target.bridge.arguments))


def write_claude_desktop(target: Target) -> str:
    """``claude_desktop_config.json`` starts programs only, so ``mcp-remote`` stands between.

    No blank after the colon: on Windows arguments are split there.
    """
    arguments = ["-y", "mcp-remote", target.url, "--header", "Authorization:${AUTH_HEADER}"]
    if target.url.startswith("http:"):
        arguments.append("--allow-http")
    entry = {
        "command": "npx",
        "args": arguments,
        "env": {"AUTH_HEADER": f"Bearer {target.key}"},
    }
    return _dump({"mcpServers": {NAME: entry}})


def write_claude_code_sign_in(target: Target) -> str:
    """The same without a key: it signs in by OAuth."""
    return f"claude mcp add --transport http {NAME} {target.url}"


def write_claude_code(target: Target) -> str:
    """The command that adds the server."""
    return (
        f"claude mcp add --transport http {NAME} {target.url} "
        f'--header "Authorization: Bearer {target.key}"'
    )


def write_cursor_link(target: Target) -> str:
    """Installs the server without a key: Cursor then signs in by OAuth."""
    config = base64.b64encode(json.dumps({"url": target.url}).encode()).decode()
    install = "cursor://anysphere.cursor-deeplink/mcp/install"
    return f"{install}?name={NAME}&config={quote(config, safe='')}"


def write_vs_code_link(target: Target) -> str:
    """The handler reads the whole query as one JSON object with the name in it."""
    config = {"name": NAME, "inputs": [KEY_INPUT], **VS_CODE.build(target)}
    return f"vscode:mcp/install?{quote(json.dumps(config), safe='')}"


def write_vs_code_sign_in_link(target: Target) -> str:
    """The same without a key: VS Code then signs in by OAuth."""
    config = {"name": NAME, "type": "http", "url": target.url}
    return f"vscode:mcp/install?{quote(json.dumps(config), safe='')}"


def write_zed(target: Target) -> str:
    """``settings.json`` with a key; without a header Zed signs in by OAuth."""
    entry = {"url": target.url, "headers": {"Authorization": f"Bearer {target.key}"}}
    return _dump({"context_servers": {NAME: entry}})


def write_gemini_sign_in(target: Target) -> str:
    """The same without a key: it signs in by OAuth."""
    return f"gemini mcp add --transport http {NAME} {target.url} --scope user"


def write_gemini(target: Target) -> str:
    """The command that adds the server to the user's settings."""
    return (
        f"gemini mcp add --transport http {NAME} {target.url} "
        f'-H "Authorization: Bearer {target.key}" --scope user'
    )


def write_codex_sign_in(target: Target) -> str:
    """OAuth in place of a key."""
    return f"codex mcp add {NAME} --url {target.url}\ncodex mcp login {NAME}"


def write_header_value(target: Target) -> str:
    """What Copilot Studio's field wants: it sends the text as it stands."""
    return f"Bearer {target.key}"


def write_python(target: Target) -> str:
    """A whole program on the official SDK."""
    return _PYTHON.format(url=target.url, variable=VARIABLE)


def write_typescript(target: Target) -> str:
    """A whole program on the official SDK."""
    return _TYPESCRIPT.format(url=target.url, variable=VARIABLE)


def write_curl(target: Target) -> str:
    """One request."""
    return _CURL.format(url=target.url, key=target.key)


def write_curl_windows(target: Target) -> str:
    """The same in the Windows command prompt."""
    return _CURL_WINDOWS.format(url=target.url, key=target.key)
