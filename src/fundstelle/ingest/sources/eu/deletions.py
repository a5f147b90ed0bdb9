"""What a consolidated text in Formex still carries though it was deleted, or the act repealed.

Such words stay in the file, and no page of EUR-Lex shows them: ``<?CLG.MDFO ID="O1" IDREF="C1"
ACTION="DELETED" …?>`` stands before them, ``<?CLG.MDFC ID="C1" …?>`` behind, anywhere in a text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree
from lxml.etree import _Element

_OPENS, _CLOSES = "CLG.MDFO", "CLG.MDFC"
_FIELD = re.compile(r"([A-Z.]+)\s*=\s*[\"']([^\"']*)[\"']")
_GONE = frozenset({"DELETED", "REPEALED"})
_WORDS = frozenset({"PREAMBLE", "ENACTING.TERMS", "CONS.ANNEX"})  # title and number of an act stay
_NAMES = {"ARTICLE": "TI.ART", "CONS.ANNEX": "TITLE"}  # what they are called stays
GONE = "GONE"
"""Attribute of an article, annex or division of which no words are left."""

_Slot = tuple[_Element, Literal["text", "tail"]]


def drop_deleted(root: _Element) -> None:
    """Take out what was deleted, and then all processing instructions."""
    marks = [mark for mark in root.iter(etree.PI) if mark.target in {_OPENS, _CLOSES}]
    closed = {_read(mark).get("ID", "") for mark in marks if mark.target == _CLOSES}
    opened = (_read(mark) for mark in marks if mark.target == _OPENS)
    ends = {
        one["IDREF"]
        for one in opened
        if one.get("ACTION") in _GONE and one.get("IDREF", "") in closed
    }
    if ends:
        _Walk(ends).cut(root)
    etree.strip_tags(root, etree.PI)


def _read(mark: _Element) -> Mapping[str, str]:
    return dict(_FIELD.findall(mark.text or ""))


@dataclass(slots=True)
class _Frame:
    """An element on the way from the root; ``is_kept`` as soon as something of it stays."""

    element: _Element
    is_born_gone: bool = False
    is_kept: bool = False


@dataclass(slots=True)
class _Walk:
    """Goes through a document once, in its order, and remembers what is gone."""

    ends: set[str]  # what the marks that close deletions are called
    open: set[str] = field(default_factory=set)
    depth: int = 0  # of elements whose words may be gone
    gone: dict[_Element, None] = field(default_factory=dict)
    silent: list[_Slot] = field(default_factory=list)

    def cut(self, root: _Element) -> None:
        frames = [_Frame(root)]
        for event, element in etree.iterwalk(root, events=("start", "end", "pi")):
            if event == "pi":
                self._mark(element)
                self._weigh(element, "tail", frames[-1])
            elif event == "start":
                self.depth += element.tag in _WORDS
                frames.append(_Frame(element, is_born_gone=self._is_gone()))
                self._weigh(element, "text", frames[-1])
            else:
                self._end(frames.pop(), frames[-1])
        self._apply()

    def _is_gone(self) -> bool:
        return self.depth > 0 and bool(self.open)

    def _mark(self, mark: _Element) -> None:
        fields = _read(mark)
        if mark.target == _OPENS and fields.get("IDREF") in self.ends:
            self.open.add(fields["IDREF"])
        elif mark.target == _CLOSES:
            self.open.discard(fields.get("ID", ""))

    def _weigh(self, element: _Element, slot: Literal["text", "tail"], frame: _Frame) -> None:
        words = element.text if slot == "text" else element.tail
        if not words or not words.strip():
            return
        if self._is_gone():
            self.silent.append((element, slot))
        else:
            frame.is_kept = True

    def _end(self, frame: _Frame, above: _Frame) -> None:
        if frame.is_born_gone and not frame.is_kept:
            self.gone[frame.element] = None
        else:
            above.is_kept = True
        self.depth -= frame.element.tag in _WORDS
        self._weigh(frame.element, "tail", above)

    def _apply(self) -> None:
        names = {one for one in self.gone if _is_name(one)}
        around = {above for name in names for above in name.iterancestors()} & self.gone.keys()
        for element in around:
            element.set(GONE, "yes")
        for element, slot in self.silent:
            owner = element if slot == "text" else element.getparent()
            if names.isdisjoint((owner, *owner.iterancestors())):
                setattr(element, slot, None)
        for element in self.gone.keys() - around:
            if names.isdisjoint((element, *element.iterancestors())):
                _remove(element)


def _is_name(element: _Element) -> bool:
    """Whether it is what an article or annex of the act itself is called, not a quoted one."""
    above = element.getparent()
    if above is None or element.tag != _NAMES.get(str(above.tag)):
        return False
    return next(above.iterancestors(above.tag, "QUOT.S"), None) is None


def _remove(element: _Element) -> None:
    """An element without its tail, which stays."""
    above, before = element.getparent(), element.getprevious()
    if above is None:
        return
    if element.tail and before is not None:
        before.tail = f"{before.tail or ''}{element.tail}"
    elif element.tail:
        above.text = f"{above.text or ''}{element.tail}"
    above.remove(element)
