"""Programs on the person's own machine."""

from fundstelle.clients import catalogue, snippets
from fundstelle.clients.bundle import FILE_NAME
from fundstelle.portal.connecting.guide import (
    ALLOW,
    KEY,
    RESTART,
    Group,
    Guide,
    Step,
    Way,
    in_file,
    sign_in,
    with_key,
)

BUNDLE = f"/connect/{FILE_NAME}"

LOCAL: tuple[Guide, ...] = (
    Guide(
        "claude-desktop",
        "Claude Desktop",
        Group.DESKTOP,
        (
            Way(
                "connect.way_public", (Step("connect.claude_desktop_public"),), needs_internet=True
            ),
            with_key(
                Step(
                    "connect.bundle_open",
                    link=lambda _: BUNDLE,
                    link_text="connect.download_bundle",
                    download=FILE_NAME,
                ),
                Step("connect.bundle_key", snippets.write_key),
                title="connect.way_bundle",
            ),
            with_key(
                Step("connect.claude_desktop_open"),
                in_file(catalogue.CLAUDE_DESKTOP),
                RESTART,
                title="connect.way_program",
            ),
            with_key(
                Step("connect.claude_desktop_open"),
                Step("connect.claude_desktop_node", snippets.write_claude_desktop),
                RESTART,
                title="connect.way_node",
            ),
        ),
        calls_itself=("Claude",),
    ),
    Guide(
        "lm-studio",
        "LM Studio",
        Group.DESKTOP,
        (with_key(Step("connect.lm_studio_open"), in_file(catalogue.LM_STUDIO)),),
    ),
    Guide(
        "goose",
        "Goose",
        Group.DESKTOP,
        (sign_in(in_file(catalogue.GOOSE), RESTART, Step("connect.goose_allow")),),
    ),
    Guide(
        "cursor",
        "Cursor",
        Group.EDITOR,
        (
            sign_in(
                Step(
                    "connect.cursor_link",
                    link=snippets.write_cursor_link,
                    link_text="connect.open_cursor",
                ),
                ALLOW,
            ),
            with_key(KEY, in_file(catalogue.CURSOR), RESTART),
        ),
    ),
    Guide(
        "vs-code",
        "VS Code",
        Group.EDITOR,
        (
            sign_in(
                Step(
                    "connect.vs_code_oauth",
                    link=snippets.write_vs_code_sign_in_link,
                    link_text="connect.open_vs_code",
                ),
                ALLOW,
            ),
            with_key(
                Step(
                    "connect.vs_code_link",
                    link=snippets.write_vs_code_link,
                    link_text="connect.open_vs_code",
                ),
                in_file(catalogue.VS_CODE, "connect.vs_code_file"),
            ),
        ),
        calls_itself=("Visual Studio Code",),
    ),
    Guide(
        "jetbrains",
        "JetBrains",
        Group.EDITOR,
        (
            with_key(
                in_file(catalogue.JETBRAINS, "connect.jetbrains_file"), title="connect.way_program"
            ),
        ),
    ),
    Guide(
        "zed",
        "Zed",
        Group.EDITOR,
        (
            sign_in(in_file(catalogue.ZED), ALLOW),
            with_key(Step("connect.zed_key", snippets.write_zed)),
        ),
    ),
    Guide(
        "windsurf",
        "Windsurf",
        Group.EDITOR,
        (with_key(KEY, in_file(catalogue.WINDSURF), RESTART),),
    ),
    Guide(
        "cline",
        "Cline",
        Group.EDITOR,
        (with_key(Step("connect.cline_open"), in_file(catalogue.CLINE)),),
    ),
    Guide("roo", "Roo Code", Group.EDITOR, (with_key(KEY, in_file(catalogue.ROO), RESTART),)),
    Guide(
        "claude-code",
        "Claude Code",
        Group.TERMINAL,
        (
            sign_in(
                Step("connect.run", snippets.write_claude_code_sign_in),
                Step("connect.claude_code_allow"),
            ),
            with_key(Step("connect.run", snippets.write_claude_code)),
            with_key(KEY, in_file(catalogue.CLAUDE_CODE), title="connect.way_project"),
        ),
    ),
    Guide(
        "gemini-cli",
        "Gemini CLI",
        Group.TERMINAL,
        (
            sign_in(
                Step("connect.run", snippets.write_gemini_sign_in), Step("connect.gemini_allow")
            ),
            with_key(Step("connect.run", snippets.write_gemini)),
        ),
    ),
    Guide(
        "codex-cli",
        "Codex CLI",
        Group.TERMINAL,
        (
            sign_in(Step("connect.run", snippets.write_codex_sign_in)),
            with_key(KEY, in_file(catalogue.CODEX)),
        ),
    ),
    Guide(
        "opencode",
        "opencode",
        Group.TERMINAL,
        (
            sign_in(
                in_file(catalogue.OPENCODE),
                Step("connect.run", lambda _: "opencode mcp auth fundstelle"),
            ),
        ),
    ),
    Guide(
        "python",
        "Python SDK",
        Group.CODE,
        (
            with_key(
                Step("connect.sdk_install", lambda _: "pip install mcp"),
                KEY,
                Step("connect.run_program", snippets.write_python),
            ),
        ),
    ),
    Guide(
        "typescript",
        "TypeScript SDK",
        Group.CODE,
        (
            with_key(
                Step("connect.sdk_install", lambda _: "npm install @modelcontextprotocol/sdk"),
                KEY,
                Step("connect.run_program", snippets.write_typescript),
            ),
        ),
    ),
    Guide(
        "curl",
        "curl",
        Group.CODE,
        (with_key(Step("connect.run", snippets.write_curl, snippets.write_curl_windows)),),
    ),
)
