"""From which day an act of the Union applies, where that is not the day of its entry into force."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Application:
    """What a final provision of an act says of its application.

    Attributes:
        number: of that provision in its act, ``art_99``.
        since: the day of the consolidated text that has these words; ``None`` = as published.
        general: the day for the act as a whole; ``None`` where it names one for parts only.
        latest: the last of the days that it names for any part.
        is_divided: it names several days.
    """

    number: str
    since: date | None
    general: date | None
    latest: date
    is_divided: bool
