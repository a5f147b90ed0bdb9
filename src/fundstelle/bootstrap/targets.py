"""The address of a target to what reads and writes there."""

from pathlib import Path

from fundstelle.corpus.travel.folder import FolderTarget
from fundstelle.corpus.travel.target import Target
from fundstelle.errors import CorpusError

_BUCKET = "s3://"


def open_target(address: str) -> Target:
    """A folder, or ``s3://bucket/prefix`` with the environment's ``AWS_…`` variables.

    Raises:
        CorpusError: it is neither, or what S3 needs is not installed.
    """
    if not address.startswith(_BUCKET):
        if "://" in address:
            raise CorpusError(f"{address} is no target: give a folder or s3://bucket/prefix")
        return FolderTarget(Path(address))
    try:
        from fundstelle.corpus.travel.bucket import BucketTarget  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CorpusError(
            "for a bucket install 'fundstelle[s3]'; a folder needs nothing"
        ) from error
    return BucketTarget(address)
