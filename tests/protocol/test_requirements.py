"""Every requirement has a test. (A test that names an unknown one fails when it is collected.)"""

import importlib
import pkgutil

import pytest

from tests import protocol
from tests.protocol.requirements import PROVEN, REQUIREMENTS, proves


def test_every_requirement_has_a_test() -> None:
    for module in pkgutil.iter_modules(protocol.__path__, "tests.protocol."):
        importlib.import_module(module.name)
    assert sorted(set(REQUIREMENTS) - set(PROVEN)) == []


@pytest.mark.parametrize("name", sorted(REQUIREMENTS))
def test_every_requirement_says_where_it_is_from(name: str) -> None:
    requirement = REQUIREMENTS[name]
    assert requirement.claim.endswith(".")
    assert requirement.source.startswith("https://modelcontextprotocol.io/specification/20")


def test_an_unknown_requirement_is_noticed() -> None:
    with pytest.raises(KeyError):
        proves("unheard-of")(test_an_unknown_requirement_is_noticed)
