"""The official Python SDK signs in by OAuth: a person's browser, consent, then a tool call."""

import asyncio
import json
from base64 import urlsafe_b64decode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Queue
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.e2e.callback import listening
from tests.e2e.portal import EMAIL, PASSWORD, Portal

pytestmark = pytest.mark.e2e

TIMEOUT_S = 60
CLAUDE_CODE = "https://claude.ai/oauth/claude-code-client-metadata"


@dataclass
class Storage:
    """What the SDK wants to remember."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Program:
    """A program on the SDK: asks for a browser, waits for its answer, calls a tool."""

    mcp: str
    redirect_uri: str
    client_id: str | None = None
    call: tuple[str, dict[str, str]] = ("legal_get_stats", {})
    storage: Storage = field(default_factory=Storage)
    links: "Queue[str]" = field(default_factory=Queue)
    answers: "Queue[dict[str, str]]" = field(default_factory=Queue)
    answer: dict[str, str] = field(default_factory=dict)

    def run(self) -> list[str]:
        """The names of the tools, after one has been called."""
        return asyncio.run(self._visit())

    async def _visit(self) -> list[str]:
        metadata = OAuthClientMetadata(
            client_name="A program of ours", redirect_uris=[AnyUrl(self.redirect_uri)]
        )
        signing_in = OAuthClientProvider(
            self.mcp,
            metadata,
            self.storage,
            self._show,
            self._wait,
            client_metadata_url=self.client_id,
        )
        async with (
            httpx2.AsyncClient(auth=signing_in) as http,
            Client(streamable_http_client(self.mcp, http_client=http)) as client,
        ):
            tools = [tool.name for tool in (await client.list_tools()).tools]
            answer = await client.call_tool(*self.call)
            assert not answer.is_error
            return tools

    async def _show(self, link: str) -> None:
        self.links.put(link)

    async def _wait(self) -> AuthorizationCodeResult:
        self.answer = await asyncio.to_thread(self.answers.get, timeout=TIMEOUT_S)
        return AuthorizationCodeResult(**self.answer)


def read_claims(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    claims: dict[str, Any] = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return claims


def test_the_address_for_chatgpt_is_signed_in_to_by_itself(portal: Portal) -> None:
    answers: Queue[dict[str, str]] = Queue()
    with listening(answers) as port, portal.open() as tab:
        url = f"{portal.mcp}/chatgpt"
        search = ("search", {"query": "Leihe"})
        redirect_uri = f"http://127.0.0.1:{port}/callback"
        program = Program(url, redirect_uri, call=search, answers=answers)
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(program.run)
            tab.page.goto(program.links.get(timeout=TIMEOUT_S))
            tab.decide()
            tab.page.wait_for_url(f"http://127.0.0.1:{port}/**")
            assert running.result(timeout=TIMEOUT_S) == ["search", "fetch"]
    assert program.storage.tokens is not None
    assert read_claims(program.storage.tokens.access_token)["aud"] == url


def test_it_registers_and_a_stranger_signs_in_and_allows_it(portal: Portal) -> None:
    answers: Queue[dict[str, str]] = Queue()
    with listening(answers) as port, portal.open(signed_in=False) as tab:
        program = Program(portal.mcp, f"http://127.0.0.1:{port}/callback", answers=answers)
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(program.run)
            tab.page.goto(program.links.get(timeout=TIMEOUT_S))
            assert tab.page.url.startswith(f"{portal.url}/sign-in?next=")
            tab.sign_in(EMAIL, PASSWORD)
            assert "A program of ours" in tab.page.inner_text("main")
            assert EMAIL in tab.page.inner_text("main")
            tab.decide()
            tab.page.wait_for_url(f"http://127.0.0.1:{port}/**")
            assert len(running.result(timeout=TIMEOUT_S)) == 8
    assert tab.violations == []
    assert program.storage.tokens is not None
    assert program.storage.client is not None
    claims = read_claims(program.storage.tokens.access_token)
    assert claims["iss"] == portal.url
    assert claims["aud"] == portal.mcp
    assert claims["scope"] == "legal:read"
    assert claims["client_id"] == program.storage.client.client_id
    assert program.storage.tokens.refresh_token
    assert program.answer["iss"] == portal.url


def test_a_known_client_needs_no_registration_and_no_network(portal: Portal) -> None:
    before = [line for line in portal.read_audit() if line["event"] == "client_registered"]
    answers: Queue[dict[str, str]] = Queue()
    with listening(answers) as port, portal.open() as tab:
        program = Program(
            portal.mcp, f"http://127.0.0.1:{port}/callback", CLAUDE_CODE, answers=answers
        )
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(program.run)
            tab.page.goto(program.links.get(timeout=TIMEOUT_S))
            assert "claude.ai" in tab.page.inner_text("h1")
            tab.decide()
            assert len(running.result(timeout=TIMEOUT_S)) == 8
    assert program.storage.tokens is not None
    assert read_claims(program.storage.tokens.access_token)["client_id"] == CLAUDE_CODE
    after = [line for line in portal.read_audit() if line["event"] == "client_registered"]
    assert after == before
