"""Every regular expression of the package, and strings that make bad ones take for ever.

A pattern that can read a stretch in two ways reads a row of them in as many ways as powers of two
before it gives up. So of each repetition in a pattern what it repeats is written many times, behind
what stands before it, with an end that does not fit.
"""

import importlib
import pkgutil
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as grammar  # type: ignore[attr-defined]
from typing import Any

import fundstelle

Nodes = Iterable[tuple[Any, Any]]

_USE = re.compile(r"\b(\w+)(?:\[\w+\])?\.(\w+)\(")
_SEARCHES = {"search", "finditer", "findall", "sub", "subn", "split"}
_REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}
_CLASSES = {
    codes.CATEGORY_DIGIT: "7",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_NOT_WORD: "-",
}
_IS: dict[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdigit,
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
    codes.CATEGORY_NOT_DIGIT: lambda sign: not sign.isdigit(),
    codes.CATEGORY_NOT_SPACE: lambda sign: not sign.isspace(),
    codes.CATEGORY_NOT_WORD: lambda sign: not (sign.isalnum() or sign == "_"),
}
_OTHERS = "aA1 .,;-x\nß§"  # one of which is in most classes that name what they do not have


@cache
def find_patterns() -> dict[str, re.Pattern[str]]:
    """Those that modules and classes keep, by where the first of each stands."""
    found: dict[str, re.Pattern[str]] = {}
    known: set[tuple[str, int]] = set()
    for module in pkgutil.walk_packages(fundstelle.__path__, "fundstelle."):
        if module.name.endswith(("__main__", ".migrations.env")):  # these run something
            continue
        try:
            loaded = importlib.import_module(module.name)
        except ImportError:  # of an extra
            continue
        for name, value in vars(loaded).items():
            for at, pattern in enumerate(_list_patterns(value, module.name)):
                if (pattern.pattern, pattern.flags) not in known:
                    known.add((pattern.pattern, pattern.flags))
                    found[f"{module.name.removeprefix('fundstelle.')}.{name}.{at}"] = pattern
    return found


def find_methods(name: str) -> list[str]:
    """How the package uses what is kept under a name; ``search`` goes through all of a text."""
    module, kept, _ = name.rsplit(".", 2)
    used = _list_uses(module if kept.startswith("_") else "").get(kept, set())
    methods = {"fullmatch", "match"} & used
    return sorted(methods if methods and not used & _SEARCHES else {*methods, "search"})


@cache
def _list_uses(module: str) -> dict[str, set[str]]:
    """The methods that are called by name in a module, or anywhere."""
    folder = Path(fundstelle.__path__[0])
    path = folder.joinpath(*module.split("."))
    paths = [path.with_suffix(".py"), path / "__init__.py"] if module else folder.rglob("*.py")
    uses = defaultdict[str, set[str]](set)
    for one in paths:
        if one.is_file():
            for kept, method in _USE.findall(one.read_text(encoding="utf-8")):
                uses[kept].add(method)
    return uses


def _list_patterns(value: object, module: str) -> list[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        return [value] if isinstance(value.pattern, str) else []
    if isinstance(value, dict):
        return [one for each in value.items() for one in _list_patterns(each, module)]
    if isinstance(value, list | tuple | set | frozenset) and len(value) < 1_000:
        return [one for each in value for one in _list_patterns(each, module)]
    if isinstance(value, type) and value.__module__ == module:
        return [one for each in vars(value).values() for one in _list_patterns(each, "")]
    return []


def write_attacks(pattern: re.Pattern[str], chars: int, seed: int = 7) -> Iterator[str]:
    """Strings of at most ``chars`` characters, of each repetition some."""
    draw = random.Random(seed)
    writer = _Writer(draw)
    for before, body in _iter_repeated(grammar.parse(pattern.pattern, pattern.flags), []):
        for _ in range(3):
            pieces = [writer.write(body) for _ in range(draw.choice((1, 1, 2)))]
            lead = "".join(writer.write(each) for each in before)[-40:]
            repeated = "".join(pieces) or "a"
            for count in (30, 300):
                row = repeated * min(count, max(1, (chars - len(lead)) // len(repeated)))
                for end in (
                    "\0",
                    " zz",
                    " und das geht dann immer so fort, ohne ein Ende zu haben",
                ):
                    yield lead + row + end


def _iter_repeated(nodes: Nodes, before: list[Nodes]) -> Iterator[tuple[list[Nodes], Nodes]]:
    """What is repeated without a small bound, and what stands before it."""
    passed: list[tuple[Any, Any]] = []
    for code, value in nodes:
        ahead = [*before, list(passed)]
        if code in _REPEATS:
            _, most, body = value
            if most == codes.MAXREPEAT or most > 8:
                yield ahead, body
            yield from _iter_repeated(body, ahead)
        else:
            for inner in _list_inner(code, value):
                yield from _iter_repeated(inner, ahead)
        passed.append((code, value))


def _list_inner(code: Any, value: Any) -> list[Nodes]:
    if code is codes.SUBPATTERN:
        return [value[-1]]
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code is codes.BRANCH:
        return list(value[1])
    if code in {codes.ASSERT, codes.ASSERT_NOT}:
        return [value[1]] if value[0] > 0 else []
    return []


class _Writer:
    """Writes something that nodes of a pattern match, where nothing around them forbids it."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw

    def write(self, nodes: Nodes) -> str:
        return "".join(self._write(code, value) for code, value in nodes)

    def _write(self, code: Any, value: Any) -> str:  # noqa: PLR0911 - a kind of node each
        if code is codes.LITERAL:
            return chr(value)
        if code is codes.NOT_LITERAL:
            return next(one for one in _OTHERS if ord(one) != value)
        if code is codes.ANY:
            return "a"
        if code is codes.IN:
            return self._pick(value)
        if code is codes.BRANCH:
            return self.write(self._draw.choice(value[1]))
        if code in _REPEATS:
            least, most, body = value
            times = min(most, max(least, self._draw.choice((0, 1, 1, 2))))
            return "".join(self.write(body) for _ in range(times))
        inner = [] if code in {codes.ASSERT, codes.ASSERT_NOT} else _list_inner(code, value)
        return "".join(map(self.write, inner))

    def _pick(self, members: list[tuple[Any, Any]]) -> str:
        if members[0][0] is codes.NEGATE:
            return next((one for one in _OTHERS if not _has(members[1:], one)), "a")
        code, value = self._draw.choice(members)
        if code is codes.LITERAL:
            return chr(value)
        if code is codes.RANGE:
            return chr(self._draw.choice((value[0], value[1])))
        return _CLASSES.get(value, "a")


def _has(members: list[tuple[Any, Any]], sign: str) -> bool:
    for code, value in members:
        if code is codes.LITERAL and ord(sign) == value:
            return True
        if code is codes.RANGE and value[0] <= ord(sign) <= value[1]:
            return True
        if code is codes.CATEGORY and _IS[value](sign):
            return True
    return False
