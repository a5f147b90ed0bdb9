"""The search: the slower an input, the more of the next ones are made from it."""

import signal
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from benches.adversarial.components import Component
from benches.adversarial.genes import Genome, cross, describe, make_genome, mutate, render

POPULATION = 24
TOO_LONG_S = 10  # of wall time; a call is ended then and counts as this long
_AGAIN = 3  # times the slowest are measured, and the shortest time counts


@dataclass(frozen=True, slots=True)
class Input:
    """The genes of an input, the number for its options, and the CPU time of a call."""

    genomes: tuple[Genome, ...]
    number: int
    cost_ms: float

    def describe(self) -> str:
        """For a reader."""
        return f"{self.cost_ms:9.1f} ms  [{self.number}] {describe(self.genomes)}"


class _TooLong(BaseException):
    """Raised in the midst of a call."""


def search(
    component: Component, seconds: float, rng: Random, known: Sequence[Input] = ()
) -> list[Input]:
    """The slowest inputs found in that time, slowest first; ``known`` are measured anew."""
    end = time.monotonic() + seconds
    pool = [_measure(component, each.genomes, each.number) for each in known]
    while len(pool) < POPULATION and time.monotonic() < end:
        genomes = tuple(make_genome(rng, limit) for limit in component.limits)
        pool.append(_measure(component, genomes, rng.randrange(10_000)))
    while time.monotonic() < end:
        pool.sort(key=lambda each: -each.cost_ms)
        del pool[POPULATION:]
        pool[: POPULATION // 3] = map(_confirm, [component] * 8, pool[: POPULATION // 3])
        for _ in range(POPULATION):
            if time.monotonic() >= end:
                break
            pool.append(_breed(component, pool, rng))
    return sorted(pool, key=lambda each: -each.cost_ms)[:POPULATION]


def _breed(component: Component, pool: Sequence[Input], rng: Random) -> Input:
    first, second = (_choose(pool, rng) for _ in range(2))
    number = first.number if rng.random() < 0.7 else rng.randrange(10_000)
    genomes = []
    for one, other, limit in zip(first.genomes, second.genomes, component.limits, strict=True):
        child = cross(one, other, rng) if rng.random() < 0.3 else one
        genomes.append(mutate(child, rng, limit) if rng.random() < 0.8 else child)
    return _measure(component, tuple(genomes), number)


def _choose(pool: Sequence[Input], rng: Random) -> Input:
    return max((rng.choice(pool) for _ in range(3)), key=lambda each: each.cost_ms)


def _confirm(component: Component, each: Input) -> Input:
    """What others do on the machine may have slowed it."""
    again = _measure(component, each.genomes, each.number)
    return again if again.cost_ms < each.cost_ms else each


def _measure(component: Component, genomes: tuple[Genome, ...], number: int) -> Input:
    texts = [render(*pair) for pair in zip(genomes, component.limits, strict=True)]
    return Input(genomes, number, time_call(component, texts, number))


def time_call(component: Component, texts: Sequence[str], number: int) -> float:
    """CPU milliseconds of one call, in all its threads."""
    begin = time.process_time()
    try:
        with _ended_after(TOO_LONG_S):
            component.call(texts, number)
    except _TooLong:
        return TOO_LONG_S * 1e3
    return (time.process_time() - begin) * 1e3


def confirm_time(component: Component, each: Input) -> float:
    """The shortest of several calls."""
    texts = [render(*pair) for pair in zip(each.genomes, component.limits, strict=True)]
    return min(time_call(component, texts, each.number) for _ in range(_AGAIN))


@contextmanager
def _ended_after(seconds: float) -> Any:
    def end(*_: object) -> None:
        raise _TooLong

    previous = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
