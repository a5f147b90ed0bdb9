"""Places: what is under way is bounded for all and for each."""

import pytest

from fundstelle.accounts.limits.places import Full, Places


def test_one_sender_leaves_others_their_places() -> None:
    places = Places(holds=5, share=2)
    places.enter("near")
    places.enter("near")
    with pytest.raises(Full):
        places.enter("near")
    places.enter("far")
    places.leave("near")
    places.enter("near")


def test_all_together_have_no_more_than_it_holds() -> None:
    places = Places(holds=2, share=2)
    places.enter("a")
    places.enter("b")
    with pytest.raises(Full):
        places.enter("c")


def test_a_place_is_given_back_when_its_block_fails() -> None:
    places = Places(holds=1, share=1)

    def fail() -> None:
        with places.hold("a"):
            raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            fail()
    places.enter("a")
