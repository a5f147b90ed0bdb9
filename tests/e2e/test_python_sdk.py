"""The official Python SDK as a client."""

import asyncio

import httpx2
import pytest
from mcp import Client, MCPError, types
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.conftest import Service
from tests.e2e.plan import ABSENT_RESOURCE, Outcome, Plan, check

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("mode", "revision"),
    [("auto", "2026-07-28"), ("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")],
)
def test_it_uses_everything_the_server_offers(service: Service, mode: str, revision: str) -> None:
    outcome, spoken = asyncio.run(_visit(service, mode))
    assert spoken == revision
    check(outcome, service.plan)


async def _visit(service: Service, mode: str) -> tuple[Outcome, str]:
    async with httpx2.AsyncClient(headers=service.headers) as http:
        transport = streamable_http_client(service.url, http_client=http)
        async with Client(transport, mode=mode) as client:
            return await use(client, service.plan), client.protocol_version


async def use(client: Client, plan: Plan) -> Outcome:
    results = {
        name: await client.call_tool(name, arguments) for name, arguments in plan.calls.items()
    }
    assert [name for name, result in results.items() if result.is_error] == []
    contents = {uri: (await client.read_resource(uri)).contents[0] for uri in plan.resources}
    prompts = {
        name: await client.get_prompt(name, arguments) for name, arguments in plan.prompts.items()
    }
    return Outcome(
        tools=[tool.name for tool in (await client.list_tools()).tools],
        calls={name: result.structured_content for name, result in results.items()},
        texts={name: _text(result.content[0]) for name, result in results.items()},
        resources=[resource.uri for resource in (await client.list_resources()).resources],
        templates=[
            template.uri_template
            for template in (await client.list_resource_templates()).resource_templates
        ],
        contents={uri: _text(content) for uri, content in contents.items()},
        absent_is_error=await _is_refused(client, ABSENT_RESOURCE),
        prompts=[prompt.name for prompt in (await client.list_prompts()).prompts],
        messages={
            name: [_text(message.content) for message in prompt.messages]
            for name, prompt in prompts.items()
        },
    )


def _text(block: object) -> str:
    assert isinstance(block, types.TextContent | types.TextResourceContents)
    return block.text


async def _is_refused(client: Client, uri: str) -> bool:
    try:
        await client.read_resource(uri)
    except MCPError:
        return True
    return False
