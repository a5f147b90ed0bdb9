"""The miss for a provision, or a part of one, that is printed as "(zukünftig in Kraft)"."""

from datetime import date

from fundstelle.law.norms import Norm
from fundstelle.lookup.answers import Means, Miss, NextCall, Place, Suggestion
from fundstelle.lookup.dating.to_come import ToCome

_NO_TEXT = "The publisher gives no text before it is in force."


def to_come(written: str, norm: Norm, citation: str, known: ToCome, on: date) -> Miss:
    """What was still to come on that day, or of which that can be told no more."""
    gone = known.gone_on
    status = "not_yet_in_force" if known.is_ahead(on) else "not_seen_yet"
    reason = _say(citation, known, on)
    place = Place(citation, norm.norm_id)
    if gone is None:
        return Miss(written, status, reason, _NO_TEXT, about=place)
    return Miss(
        written,
        status,
        reason,
        ("Ask again with ", Means.DAY, f" {gone.isoformat()} or later, and see what stands there."),
        suggestions=(Suggestion(citation, norm.norm_id, f"as of {gone.isoformat()}"),),
        hint=NextCall(Means.READ, norm.norm_id, gone),
        about=place,
    )


def _say(citation: str, known: ToCome, on: date) -> str:
    day, shown, gone = on.isoformat(), known.shown.isoformat(), known.gone_on
    begins = known.begins.isoformat() if known.begins else ""
    if known.is_ahead(on):
        when = f"on {begins}" if begins and not known.others else "later"
        return f"{citation} is not yet in force on {day}; it begins {when}."
    if known.begins is not None and known.begins <= on:
        seen = f"was first seen on {gone.isoformat()}" if gone else "is not held"
        return (
            f"By the publisher's note {citation} begins on {begins}; its text {seen}, and was not"
            f" there yet on {shown}."
        )
    seen = f" and was first seen on {gone.isoformat()}" if gone else ""
    return (
        f"{citation} was still to come at its publisher on {shown}{seen}; whether it was in force"
        f" on {day} is not known here."
    )
