"""A build goes through a bucket as it does through a folder."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.bootstrap.targets import open_target
from fundstelle.corpus import builds
from fundstelle.corpus.travel.prune import GRACE_S, prune
from fundstelle.corpus.travel.pull import pull
from fundstelle.corpus.travel.push import push
from fundstelle.corpus.travel.target import (
    LIVE,
    OBJECTS,
    Target,
    name_object,
    read_release,
    read_shipment,
)
from fundstelle.errors import CorpusError
from tests.integration.builds.shipping import cut_small, make_build, read_files
from tests.integration.services.bucket_service import BUCKET, KEYS, start_bucket
from tests.integration.services.databases import find_free_port


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with start_bucket() as address:
        yield address


@pytest.fixture
def target(service: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Target:
    for name, value in {**KEYS, "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": service}.items():
        monkeypatch.setenv(name, value)
    cut_small(monkeypatch)
    return open_target(f"s3://{BUCKET}/{request.node.name[:20]}")


def test_bytes_lie_there_whole_or_not_at_all(target: Target) -> None:
    assert target.read("objects/a", 10) is None
    assert target.measure("objects/a") is None
    target.write("objects/a", b"one")
    target.write("objects/a", b"other")
    target.write("objects/b", b"")
    assert target.read("objects/a", 5) == b"other"
    assert target.read("objects/b", 5) == b""
    assert target.measure("objects/a") == 5
    with pytest.raises(CorpusError, match="larger than the 4 bytes"):
        target.read("objects/a", 4)


def test_a_build_goes_through_a_bucket(tmp_path: Path, target: Target) -> None:
    origin, data = tmp_path / "origin" / "data", tmp_path / "replica"
    release = make_build(origin).release
    first = push(origin, release, target, live=True)
    assert first.moved > 0
    assert push(origin, release, target).moved == 0
    assert read_release(target, LIVE) == release
    pull(data, release, target)
    assert read_files(data / "builds" / release) == read_files(origin / "builds" / release)
    assert builds.verify(data, release) == []

    chunk = read_shipment(target, release).files[0].chunks[0]
    target.write(name_object(chunk), b"damaged")
    with pytest.raises(CorpusError, match=rf"objects/{chunk}.*damaged.*--anew"):
        pull(tmp_path / "other", release, target)
    push(origin, release, target, anew=True)
    assert pull(tmp_path / "other", release, target) is not None


def test_a_bucket_is_freed_of_old_releases(tmp_path: Path, target: Target) -> None:
    origin = tmp_path / "origin" / "data"
    old = make_build(origin).release
    push(origin, old, target)
    gone = read_shipment(target, old)
    new = make_build(origin, laws=4).release
    push(origin, new, target, live=True)
    target.write("objects/notes", b"mine")
    before = {one.name for one in target.iter_held(OBJECTS)}
    assert prune(origin, target, 1, time.time()).chunks == 0  # all of them came today
    with pytest.raises(CorpusError, match="there is no release"):
        read_shipment(target, old)

    freed = prune(origin, target, 1, time.time() + 2 * GRACE_S)
    left = {one.name for one in target.iter_held(OBJECTS)}
    named = {name_object(one) for f in read_shipment(target, new).files for one in f.chunks}
    assert left == {*named, "objects/notes"}
    assert freed.chunks == len(before) - len(left) > 0
    assert 0 < freed.size <= gone.size
    assert pull(tmp_path / "replica", new, target) is not None
    target.delete("objects/notes")
    target.delete("objects/notes")


def test_a_service_that_is_not_there_is_said_without_keys(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    del target  # for its settings
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{find_free_port()}")
    monkeypatch.setattr("fundstelle.corpus.travel.bucket._RETRIES", 0)
    with pytest.raises(CorpusError, match=r"cannot be used .*AWS_ENDPOINT_URL") as failed:
        open_target(f"s3://{BUCKET}/x").read("live", 10)
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in str(failed.value)


@pytest.mark.parametrize(
    "address", ["s3://", "s3:///x", "s3://key:secret@bucket/x", "s3://b/x?y=1"]
)
def test_what_names_no_bucket_is_refused(address: str) -> None:
    pytest.importorskip("obstore")
    with pytest.raises(CorpusError, match="names no bucket"):
        open_target(address)
