"""``fundstelle release``: what people need to check answers by themselves."""

import click
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fundstelle.corpus import builds
from fundstelle.corpus.proof.signing import open_key, show_key
from fundstelle.corpus.soundness.root import require_signed
from fundstelle.errors import CorpusError
from fundstelle.settings import Settings


@click.group()
def release() -> None:
    """Print the key and the root that prove releases."""


@release.command()
@click.option("--pem", is_flag=True, help="As PEM, for openssl.")
@click.pass_obj
def key(settings: Settings, *, pem: bool) -> None:
    """Print the public key that signs the roots of this server's builds; made if there is none."""
    public = open_key(settings.data).public_key()
    if pem:
        written = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        click.echo(written, nl=False)
    else:
        click.echo(show_key(public))


@release.command()
@click.argument("name", metavar="[RELEASE]", required=False)
@click.pass_obj
def root(settings: Settings, name: str | None) -> None:
    """Print root, size, signature and key of a build (default: the live one).

    Exit code 1: no proof in this build, which was made before there were any; or its manifest is
    not what was written, or not signed by the key beside the root.
    """
    live = name or builds.get_live(settings.data)
    if live is None:
        raise CorpusError("there is no live build; make one with 'fundstelle ingest'")
    folder = builds.get_folder(settings.data, live)
    manifest = builds.read_manifest(folder)
    if manifest.root is None:
        raise CorpusError(f"no proof in build {live}; build it again with 'fundstelle ingest'")
    require_signed(folder, manifest)
    click.echo(f"root       {manifest.root}")
    click.echo(f"size       {manifest.leaves}")
    click.echo(f"signature  {manifest.signature}")
    click.echo(f"key        {manifest.key}")
