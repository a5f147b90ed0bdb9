"""``SHA256SUMS``, as ``sha256sum -c`` reads it, and its signature, as ``ssh-keygen -Y`` makes it.

Why these two: docs/adr/0030-a-release-is-checked-with-what-is-there.md.
"""

import subprocess
from hashlib import sha256
from pathlib import Path

from releases.errors import ReleaseError

SUMS = "SHA256SUMS"
NAMESPACE = "fundstelle-release"
"""What the signature is for: one made with the same key for something else is not taken."""


def write_sums(folder: Path) -> Path:
    """Write the SHA-256 of every file of *folder* into it, in the order of their names."""
    lines = [f"{sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in _list(folder)]
    path = folder / SUMS
    path.write_text("".join(lines), encoding="ascii")
    return path


def sign(path: Path, key: Path) -> Path:
    """Sign a file with an SSH key (Ed25519): its private file, or its public one with an agent.

    Raises:
        ReleaseError: ``ssh-keygen`` is missing, or has said no.
    """
    command = ["ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ReleaseError("ssh-keygen is missing: install OpenSSH") from None
    if done.returncode:
        raise ReleaseError(f"ssh-keygen did not sign with {key}: {done.stderr.strip()}")
    return path.with_name(f"{path.name}.sig")


def _list(folder: Path) -> list[Path]:
    return sorted((each for each in folder.iterdir() if each.name != SUMS), key=lambda x: x.name)
