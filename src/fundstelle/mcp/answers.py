"""Encoded answers that may be given again: the same norm is asked for over and over.

A build is immutable and an engine serves one build, so an answer stays true for as long as what the
tool names beside it (the day) does. Kept in memory only; questions are never kept, only citations.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

LIMIT_BYTES = 16 * 1_048_576
_KEY_BYTES = 512  # longer arguments are not asked twice

Key = tuple[str, str, object, bytes]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answered: the encoded members of the result, and what the records say of it."""

    members: bytes
    error_code: str | None = None
    result_ids: Sequence[str] = ()


class AnswerCache:
    """Answers by key, the least recently used forgotten first; bounded by their bytes.

    Safe between threads.
    """

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._held_bytes = 0
        self._lock = threading.Lock()
        self._answers: OrderedDict[Key, Answer] = OrderedDict()

    def find(self, key: Key) -> Answer | None:
        """The answer kept under this key, if there is one."""
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
        return answer

    def keep(self, key: Key, answer: Answer) -> None:
        """Keep an answer that was not held."""
        with self._lock:
            if key in self._answers:  # another thread was first
                return
            self._answers[key] = answer
            self._held_bytes += len(answer.members)
            while self._held_bytes > self._limit_bytes:
                _, gone = self._answers.popitem(last=False)
                self._held_bytes -= len(gone.members)

    def __len__(self) -> int:
        return len(self._answers)


def build_key(tool: str, form: str, moment: object, arguments: dict[str, Any]) -> Key | None:
    """The key of a call, ``None`` if it is not worth keeping.

    ``form`` is the revision's form of content, ``moment`` what the tool's answer depends on beside
    its arguments.
    """
    try:
        encoded = orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:  # nested deeper than the encoder goes
        return None
    return (tool, form, moment, encoded) if len(encoded) <= _KEY_BYTES else None
