"""A target in a bucket that speaks S3; obstore does the speaking (``fundstelle[s3]``)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from fundstelle.corpus.travel.target import Held
from fundstelle.errors import CorpusError

_TIMEOUT = "60s"  # for one request, which carries a chunk at most
_RETRIES = 5


class BucketTarget:
    """Objects below a prefix of a bucket; the service puts each there in one step.

    Keys and the service's address come from the environment, under the names that every program
    for S3 knows: ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``, ``AWS_REGION``,
    ``AWS_ENDPOINT_URL``. Without encryption goes only what the operator addresses with ``http``.

    Args:
        address: ``s3://bucket/prefix``.

    Raises:
        CorpusError: it names no bucket, or a variable is wrong.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if not parts.hostname or "@" in parts.netloc or parts.query or parts.fragment:
            raise CorpusError(f"{address} names no bucket: write s3://bucket/prefix")
        self.address = address
        endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
        with self._explained("the bucket"):
            self._store = S3Store(
                parts.netloc,
                prefix=parts.path.strip("/") or None,
                client_options={"timeout": _TIMEOUT, "allow_http": endpoint.startswith("http://")},
                retry_config={"max_retries": _RETRIES},
            )

    def read(self, name: str, most: int) -> bytes | None:
        """As ``Target.read``; of one that is too large nothing is fetched but its head."""
        with self._explained(name):
            try:
                found = obstore.get(self._store, name)
                size = int(found.meta["size"])
                data = bytes(found.bytes()) if size <= most else None
            except FileNotFoundError:
                return None
        if data is None:
            raise CorpusError(
                f"{name} of {self.address} is larger than the {most:,} bytes that it may have;"
                " delete it and push again"
            )
        return data

    def measure(self, name: str) -> int | None:
        """As ``Target.measure``."""
        with self._explained(name):
            try:
                return int(obstore.head(self._store, name)["size"])
            except FileNotFoundError:
                return None

    def write(self, name: str, data: bytes) -> None:
        """As ``Target.write``: one request, whatever its size."""
        with self._explained(name):
            obstore.put(self._store, name, data, use_multipart=False)

    def iter_held(self, folder: str) -> Iterator[Held]:
        """As ``Target.iter_held``; a thousand are asked for at a time."""
        with self._explained(folder):
            for page in obstore.list(self._store, folder, chunk_size=1_000):
                for one in page:
                    modified = one["last_modified"].timestamp()
                    yield Held(one["path"], int(one["size"]), modified)

    def delete(self, name: str) -> None:
        """As ``Target.delete``; a bucket that keeps versions keeps this one, too."""
        with self._explained(name), suppress(FileNotFoundError):
            obstore.delete(self._store, name)

    @contextmanager
    def _explained(self, name: str) -> Iterator[None]:
        """Give an error its words; what the service writes may have the address of a key in it."""
        try:
            yield
        except FileNotFoundError:
            raise
        except (BaseError, OSError, ValueError) as error:
            raise CorpusError(
                f"{name} of {self.address} cannot be used ({type(error).__name__}); see that"
                " AWS_ENDPOINT_URL, AWS_REGION and the keys are right and the service answers, then"
                " run the command again: it goes on where it was"
            ) from error
