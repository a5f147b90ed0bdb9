"""Abbreviations that laws of Länder share with one of the Bund: LBG, LWG.

Most who write "LBG" mean the Landesbeamtengesetz of their Land, not the Landbeschaffungsgesetz.
"""

from fundstelle.citations.text.tables import read_words
from fundstelle.law.norms import Statute


def is_land_name(statute: Statute) -> bool:
    """Whether laws of Länder bear the abbreviation of this law of the Bund."""
    is_federal = statute.jurisdiction == "de"
    return is_federal and statute.abbreviation.casefold() in read_words("land")


def say_land_laws(statute: Statute) -> str:
    """That another law may be meant; "" where the abbreviation is of one law."""
    if not is_land_name(statute):
        return ""
    return (
        f"Laws of Länder are called {statute.abbreviation}, too, and not held here; this is of the"
        f" Bund: {statute.title}."
    )
