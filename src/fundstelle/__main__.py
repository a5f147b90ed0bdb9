"""``python -m fundstelle``."""

from fundstelle.cli import main

main()
