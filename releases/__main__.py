"""``python -m releases``: build the release of what is committed; ``make release`` calls it."""

import argparse
import sys
from pathlib import Path

from releases.building import build_release
from releases.errors import ReleaseError

CHECKOUT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Build, and list what was built; exit code 1 and a sentence where there is no release."""
    parser = argparse.ArgumentParser(prog="python -m releases", description=__doc__)
    parser.add_argument("target", type=Path, help="the folder to fill; emptied before")
    parser.add_argument("--key", type=Path, help="SSH key (Ed25519) to sign the hashes with")
    parser.add_argument(
        "--draft", action="store_true", help="without a section of this version in the changelog"
    )
    wanted = parser.parse_args()
    try:
        files = build_release(CHECKOUT, wanted.target, wanted.key, draft=wanted.draft)
    except ReleaseError as error:
        sys.exit(f"release: {error}")
    for each in files:
        sys.stdout.write(f"{each.stat().st_size:>12,}  {each}\n")
    if wanted.key is None:
        sys.stdout.write("not signed: name a key (make release KEY=FILE)\n")


main()
