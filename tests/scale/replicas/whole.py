"""The whole of it: servers, proxy, PostgreSQL and Redis, with a key that may ask a great deal."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.e2e.server import run_fundstelle
from tests.integration.services.databases import start_postgres
from tests.scale.replicas.fleet import Origin, Replica
from tests.scale.replicas.load import Call, Load
from tests.scale.replicas.proxy import start_proxy
from tests.scale.replicas.services import Counter, Postgres, start_counter

REPLICAS = 3
_RATE = "100000"  # a minute: nobody asks so much, and each call is counted where all count


@dataclass(slots=True)
class Fleet:
    """All that the stories act on."""

    origin: Origin
    target: Path
    replicas: list[Replica]
    postgres: Postgres
    counter: Counter
    port: int  # the proxy's
    key: str
    settings: dict[str, str]
    rows: list[str] = field(default_factory=list)

    def load(self) -> Load:
        return Load(Call(self.port, self.key), self.origin.words)

    def make_key(self, name: str) -> str:
        return run_fundstelle(
            self.replicas[0].data, "keys", "create", name, "--rate", _RATE, **self.settings
        ).strip()

    def count_calls(self) -> int:
        """Lines of calls in the audit log."""
        with psycopg.connect(self.postgres.url) as connection:
            found = connection.execute("SELECT count(*) FROM audit WHERE event = 'tool_called'")
            row = found.fetchone()
        assert row is not None
        return int(row[0])

    def tell(self, story: str, load: Load, lost: int) -> None:
        tally = load.tally
        self.rows.append(
            f"{story:<34}{tally.answered:>9,}{tally.failures.total():>8}{len(tally.wrong):>7}"
            f"{lost:>6}{tally.longest_s:>11.2f}"
        )


@contextmanager
def open_fleet(folder: Path) -> Iterator[Fleet]:
    """Start all of it, as docs/replicas.md sets it up, in an empty folder."""
    with ExitStack() as stack:
        server = stack.enter_context(start_postgres())
        database = server.create()
        postgres = Postgres(server, database.name)
        counter = stack.enter_context(start_counter())
        (folder / "origin").mkdir()
        origin = Origin(folder / "origin")
        origin.push(folder / "target", origin.releases[0], "--live")
        settings = {
            "database_url": database.url or "",
            "quota_url": counter.url,
            "trusted_proxies": "127.0.0.1",
        }
        replicas = []
        for number in range(1, REPLICAS + 1):
            (folder / f"replica-{number}").mkdir()
            data = folder / f"replica-{number}" / "data"
            run_fundstelle(data, "build", "pull", str(folder / "target"))
            replicas.append(Replica(data, settings))
        port = stack.enter_context(
            start_proxy(folder / "nginx", [replica.port for replica in replicas])
        )
        settings["base_url"] = f"http://127.0.0.1:{port}"
        fleet = Fleet(origin, folder / "target", replicas, postgres, counter, port, "", settings)
        fleet.key = fleet.make_key("load")
        for replica in replicas[1:]:
            shutil.copy2(replicas[0].data / "pepper", replica.data / "pepper")
        for replica in replicas:
            replica.settings.update(settings)
            replica.start()
            stack.callback(replica.stop)
        yield fleet
