"""The yardstick: the same HTTP server, answering every request with one prepared body."""

import sys
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import uvicorn

Message = MutableMapping[str, Any]


def make_app(
    body: bytes,
) -> Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    start = {"type": "http.response.start", "status": 200, "headers": headers}
    end = {"type": "http.response.body", "body": body}

    async def app(
        _scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        while (await receive()).get("more_body"):
            pass
        await send(start)
        await send(end)

    return app


if __name__ == "__main__":
    uvicorn.run(
        make_app(Path(sys.argv[1]).read_bytes()),
        host="127.0.0.1",
        port=int(sys.argv[2]),
        log_level="warning",
        access_log=False,
        lifespan="off",
        date_header=False,
        server_header=False,
    )
