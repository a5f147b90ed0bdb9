"""What ``make release`` does: a commit in, a folder out that anybody can check (docs/releasing.md).

Begin at ``building.build_release``; ``checksums`` says what was built, and signs it. Runs in an
environment of its own (requirements/release.txt) and imports nothing of the package.
"""
