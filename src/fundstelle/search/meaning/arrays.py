"""Dataclasses of numpy arrays as folders: a file a field, read as mapped memory."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar, Self

import numpy as np


@dataclass(frozen=True, slots=True)
class ArrayFolder:
    """A base for dataclasses whose fields are all arrays; ``NAME`` is that of their folder."""

    NAME: ClassVar[str] = ""

    @classmethod
    def read(cls, folder: Path, name: str = "") -> Self | None:
        """Those beside an index, if they were written; there may be others of another name."""
        held = folder / (name or cls.NAME)
        if not held.is_dir():
            return None
        arrays = (np.load(held / f"{field.name}.npy", mmap_mode="r") for field in fields(cls))
        return cls(*(loaded.view(np.ndarray) for loaded in arrays))

    def write(self, folder: Path, name: str = "") -> None:
        """Keep them beside an index."""
        (held := folder / (name or self.NAME)).mkdir()
        for field in fields(self):
            np.save(held / f"{field.name}.npy", getattr(self, field.name))
