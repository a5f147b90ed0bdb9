"""Programs that ask from elsewhere: in the browser, on a server of the firm's, or anywhere."""

from fundstelle.clients import snippets
from fundstelle.portal.connecting.guide import (
    ALLOW,
    KEY,
    URL,
    Group,
    Guide,
    Reach,
    Step,
    Way,
    sign_in,
    with_key,
)

REMOTE: tuple[Guide, ...] = (
    Guide(
        "claude-ai",
        "Claude.ai",
        Group.WEB,
        (sign_in(Step("connect.claude_ai_open"), URL, ALLOW),),
        Reach.INTERNET,
        ("Claude",),
    ),
    Guide(
        "chatgpt",
        "ChatGPT",
        Group.WEB,
        (
            sign_in(Step("connect.chatgpt_open"), URL, ALLOW),
            Way(
                "connect.way_chatgpt",
                (
                    Step("connect.chatgpt_plain"),
                    Step("connect.paste_url", snippets.write_chatgpt_url),
                    ALLOW,
                ),
            ),
        ),
        Reach.INTERNET,
    ),
    Guide(
        "le-chat",
        "Le Chat",
        Group.WEB,
        (sign_in(Step("connect.le_chat_open"), URL, ALLOW),),
        Reach.INTERNET,
    ),
    Guide(
        "langdock",
        "Langdock",
        Group.WEB,
        (
            sign_in(Step("connect.langdock_open"), URL, Step("connect.langdock_oauth"), ALLOW),
            with_key(
                Step("connect.langdock_open"),
                URL,
                Step("connect.langdock_key", snippets.write_key),
            ),
        ),
        Reach.INTERNET,
    ),
    Guide(
        "m365-copilot",
        "Microsoft 365 Copilot",
        Group.WEB,
        (
            sign_in(
                Step("connect.agents_open"),
                URL,
                Step("connect.agents_oauth"),
                Step("connect.agents_end"),
            ),
        ),
        Reach.INTERNET,
    ),
    Guide(
        "copilot-studio",
        "Copilot Studio",
        Group.WEB,
        (
            sign_in(Step("connect.copilot_open"), URL, Step("connect.copilot_dynamic"), ALLOW),
            with_key(
                Step("connect.copilot_open"),
                URL,
                Step("connect.copilot_key", snippets.write_header_value),
            ),
            Way(
                "connect.way_connector",
                (
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
        ),
        Reach.INTERNET,
    ),
    Guide(
        "open-webui",
        "Open WebUI",
        Group.SERVER,
        (
            with_key(
                Step("connect.open_webui_open"),
                URL,
                Step("connect.open_webui_key", snippets.write_key),
            ),
            sign_in(Step("connect.open_webui_open"), URL, Step("connect.open_webui_oauth")),
        ),
        Reach.CONTAINER,
    ),
    Guide(
        "n8n",
        "n8n",
        Group.SERVER,
        (
            with_key(Step("connect.flow_open"), URL, Step("connect.flow_key", snippets.write_key)),
            sign_in(Step("connect.flow_open"), URL, Step("connect.flow_oauth")),
        ),
        Reach.CONTAINER,
    ),
    Guide(
        "other",
        "MCP",
        Group.CODE,
        (
            sign_in(Step("connect.other_open"), URL, ALLOW),
            with_key(
                Step("connect.other_open"),
                URL,
                Step("connect.other_key", snippets.write_header_line),
            ),
            with_key(
                Step("connect.other_program", snippets.write_bridge_command),
                KEY,
                title="connect.way_program",
            ),
        ),
    ),
)
