"""Work that does not end, each in its own way."""

import re
from contextlib import suppress


def loop() -> None:
    while True:
        pass


def match() -> None:
    re.fullmatch(r"(a+)+b", "a" * 60)


def swallow() -> None:
    while True:
        with suppress(Exception):
            loop()


def swallow_everything() -> None:
    for _ in range(3):
        with suppress(BaseException):
            loop()
    loop()


def recurse() -> None:
    recurse()
