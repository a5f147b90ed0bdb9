"""What a key may be used for, and where from."""

import pytest

from fundstelle.accounts.keys.reach import (
    EVERYTHING,
    MOST_NETWORKS,
    Reach,
    load_reach,
    read_reach,
)
from fundstelle.errors import InvalidArgument

TOOLS = ("look", "search")


@pytest.mark.parametrize(
    ("networks", "address", "allowed"),
    [
        ((), "203.0.113.9", True),
        (("192.0.2.0/24",), "192.0.2.77", True),
        (("192.0.2.0/24",), "::ffff:192.0.2.77", True),
        (("192.0.2.0/24",), "192.0.3.1", False),
        (("192.0.2.5",), "192.0.2.6", False),
        (("192.0.2.5/24",), "192.0.2.6", True),
        (("2001:db8::/32",), "2001:db8:1::1", True),
        (("2001:db8::/32",), "2001:db9::1", False),
        (("2001:db8::/32", "192.0.2.0/24"), "192.0.2.1", True),
        (("fe80::/10",), "fe80::1%eth0", True),
        (("0.0.0.0/0",), "2001:db8::1", False),
        (("192.0.2.0/24",), "", False),
        (("127.0.0.0/8",), "", True),
        (("::ffff:192.0.2.5",), "192.0.2.5", True),
        (("::ffff:192.0.2.0/120",), "192.0.2.77", True),
        (("::ffff:192.0.2.0/120",), "::ffff:192.0.3.77", False),
        (("::ffff:0:0/96",), "192.0.2.77", True),
        (("192.0.2.0/24",), "a name", False),
    ],
)
def test_a_key_works_from_its_networks_alone(
    networks: tuple[str, ...], address: str, *, allowed: bool
) -> None:
    assert read_reach(TOOLS, networks, TOOLS).allows_from(address) == allowed


def test_all_tools_are_no_choice_and_some_are_kept() -> None:
    assert read_reach(TOOLS, (), TOOLS) == EVERYTHING
    assert EVERYTHING.dump() is None
    some = read_reach(["look"], ["192.0.2.0/24", "192.0.2.1/24"], TOOLS)
    assert some == load_reach(some.dump())
    assert some.tools == frozenset({"look"})
    assert len(some.networks) == 1
    assert load_reach(None) == EVERYTHING == Reach()


@pytest.mark.parametrize(
    ("tools", "networks", "field"),
    [
        ([], [], "tools"),
        (["look", "hook"], [], "tools"),
        (TOOLS, ["192.0.2.0/33"], "networks"),
        (TOOLS, ["kanzlei.example"], "networks"),
        (TOOLS, ["1" * 5_000], "networks"),
        (TOOLS, ["fe80::1%eth0"], "networks"),
        (TOOLS, [f"192.0.{n}.0/24" for n in range(MOST_NETWORKS + 1)], "networks"),
    ],
)
def test_what_cannot_be_meant_is_refused(tools: list[str], networks: list[str], field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_reach(tools, networks, TOOLS)
    assert refused.value.field == field
