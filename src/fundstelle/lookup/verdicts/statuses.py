"""What a verdict says of the status of a text, in words."""

from fundstelle.law.norms import NormStatus
from fundstelle.lookup.validity.bearing import About
from fundstelle.lookup.validity.notes import Validity

OF_THE_STATUS = {
    NormStatus.VOID: "Declared void",
    NormStatus.PARTLY_VOID: "Partly void",
    NormStatus.INCOMPATIBLE: "Declared incompatible with the Constitution",
    NormStatus.PARTLY_INCOMPATIBLE: "Partly incompatible with the Constitution",
    NormStatus.REMOVED: "Its law is no longer in the publisher's table of contents",
    NormStatus.REPEALED: "Repealed",
    NormStatus.FUTURE: "Not yet in force",
    NormStatus.NOT_SEEN: "Not yet seen at the publisher by that day",
}
_DOUBTS = {
    About.UNKNOWN: " (which part is not known)",
    About.NAMED: " in an earlier Fassung (whether its words are those of today is not known)",
}


def say_status(validity: Validity) -> str:
    """The status in words, and the note that it rests on."""
    said = OF_THE_STATUS[validity.status]
    note = next((each for each in validity.notes if each.status is validity.status), None)
    if note is None:
        return f"{said}."
    return f"{said}{_DOUBTS.get(note.about, '')}: {note.text}"


def say_of_others(validity: Validity) -> str:
    """That the Constitutional Court declared something of another part: it is not hidden."""
    others = [each.parts for each in validity.notes if each.about is About.OTHER]
    if not others:
        return ""
    return f"Not this part, but {'; '.join(others)} was judged by the Constitutional Court."
