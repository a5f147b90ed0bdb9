"""The Länder: the value of the filter, the name, and what stands for it behind a law's name."""

from typing import NamedTuple


class Land(NamedTuple):
    """One Land.

    ``code`` is ``de_`` and its part of ISO 3166-2:DE in small letters; ``short_names`` are those
    that lawyers write behind the name of a law ("SchulG NRW").
    """

    code: str
    name: str
    short_names: tuple[str, ...]


LANDS = (
    Land("de_bw", "Baden-Württemberg", ("BW",)),
    Land("de_by", "Bayern", ("BY", "Bay")),
    Land("de_be", "Berlin", ("BE", "Bln")),
    Land("de_bb", "Brandenburg", ("BB", "Bbg")),
    Land("de_hb", "Bremen", ("HB",)),
    Land("de_hh", "Hamburg", ("HH",)),
    Land("de_he", "Hessen", ("HE", "Hess")),
    Land("de_mv", "Mecklenburg-Vorpommern", ("MV", "M-V")),
    Land("de_ni", "Niedersachsen", ("NI", "Nds")),
    Land("de_nw", "Nordrhein-Westfalen", ("NRW", "NW")),
    Land("de_rp", "Rheinland-Pfalz", ("RP", "RhPf", "Rh-Pf")),
    Land("de_sl", "Saarland", ("SL", "Saar")),
    Land("de_sn", "Sachsen", ("SN",)),
    Land("de_st", "Sachsen-Anhalt", ("ST", "LSA")),
    Land("de_sh", "Schleswig-Holstein", ("SH", "S-H", "SchlH")),
    Land("de_th", "Thüringen", ("TH", "Thür")),
)
INTERNATIONAL = "int"  # of the European Court of Human Rights
JURISDICTIONS = ("de", "eu", *(land.code for land in LANDS), INTERNATIONAL)
SHORT_NAMES = tuple(short for land in LANDS for short in land.short_names)
