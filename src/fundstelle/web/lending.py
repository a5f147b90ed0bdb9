"""Lending what is replaced while it is in use: nothing is closed under the hands of its users."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Loan(Generic[T]):
    """A context in which an item stays open; made by ``Lending.borrow``."""

    __slots__ = ("_give_back", "is_replaced", "item", "users")

    def __init__(self, item: T, give_back: "Callable[[Loan[T]], None]") -> None:
        self.item = item
        self.users = 0
        self.is_replaced = False
        self._give_back = give_back

    def __enter__(self) -> T:
        """What was borrowed."""
        return self.item

    def __exit__(self, *_error: object) -> None:
        """Give it back."""
        self._give_back(self)


class Lending(Generic[T]):
    """Lends one item; one that was replaced is closed when its last borrower has given it back.

    Safe between threads. ``close`` is called once for each item, by whoever was the last to use
    it, outside the lock.
    """

    def __init__(self, first: T, close: Callable[[T], None]) -> None:
        self._close = close
        self._lock = threading.Lock()
        self._loan = Loan(first, self._take_back)

    @property
    def item(self) -> T:
        """What would be lent now; it may be closed any time, so only ask it what needs no file."""
        return self._loan.item

    def borrow(self) -> Loan[T]:
        """For a ``with`` statement, which must follow at once."""
        with self._lock:
            loan = self._loan
            loan.users += 1
        return loan

    def replace(self, item: T) -> None:
        """Lend another one from now on."""
        with self._lock:
            old, self._loan = self._loan, Loan(item, self._take_back)
            old.is_replaced = True
            is_over = not old.users
        if is_over:
            self._close(old.item)

    def _take_back(self, loan: Loan[T]) -> None:
        with self._lock:
            loan.users -= 1
            is_over = loan.is_replaced and not loan.users
        if is_over:
            self._close(loan.item)
