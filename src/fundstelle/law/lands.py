"""The Länder: the value of the filter, the name, and what stands for it beside a law's name."""

from typing import NamedTuple


class Land(NamedTuple):
    """One Land.

    ``code`` is ``de_`` and its part of ISO 3166-2:DE in small letters; ``short_names`` are those
    that lawyers write behind the name of a law ("SchulG NRW"), without dots; ``adjectives`` stand
    before it, those in "isch" and "ersch" with any ending ("Hessisches Schulgesetz").
    """

    code: str
    name: str
    short_names: tuple[str, ...]
    adjectives: tuple[str, ...]


LANDS = (
    Land(
        *("de_bw", "Baden-Württemberg", ("BW", "B-W", "BaWü", "Bad-Württ")),
        ("baden-württembergisch",),
    ),
    Land("de_by", "Bayern", ("BY", "Bay"), ("bayerisch", "bayrisch")),
    Land("de_be", "Berlin", ("BE", "Bln"), ("Berliner", "berlinisch")),
    Land("de_bb", "Brandenburg", ("BB", "Bbg", "Brbg"), ("Brandenburger", "brandenburgisch")),
    Land("de_hb", "Bremen", ("HB", "Brem"), ("Bremer", "bremisch")),
    Land("de_hh", "Hamburg", ("HH", "Hmb", "Hbg"), ("Hamburger", "hamburgisch", "hamburgerisch")),
    Land("de_he", "Hessen", ("HE", "Hess"), ("hessisch",)),
    Land(
        *("de_mv", "Mecklenburg-Vorpommern", ("MV", "M-V", "MVP", "Meckl-Vorp")),
        ("mecklenburg-vorpommersch", "mecklenburg-vorpommerisch"),
    ),
    Land("de_ni", "Niedersachsen", ("NI", "Nds"), ("niedersächsisch",)),
    Land("de_nw", "Nordrhein-Westfalen", ("NRW", "NW"), ("nordrhein-westfälisch",)),
    Land(
        *("de_rp", "Rheinland-Pfalz", ("RP", "RLP", "RhPf", "Rh-Pf", "Rhld-Pf")),
        ("rheinland-pfälzisch",),
    ),
    Land("de_sl", "Saarland", ("SL", "Saar", "Saarl"), ("saarländisch",)),
    Land("de_sn", "Sachsen", ("SN", "Sächs"), ("sächsisch",)),
    Land(
        *("de_st", "Sachsen-Anhalt", ("ST", "LSA", "Sachs-Anh")),
        ("sachsen-anhaltisch", "sachsen-anhaltinisch", "sachsen-anhalter"),
    ),
    Land(
        "de_sh",
        "Schleswig-Holstein",
        ("SH", "S-H", "SchlH", "Schl-Holst"),
        ("schleswig-holsteinisch",),
    ),
    Land("de_th", "Thüringen", ("TH", "Thür"), ("Thüringer", "thüringisch")),
)
INTERNATIONAL = "int"  # of the European Court of Human Rights
JURISDICTIONS = ("de", "eu", *(land.code for land in LANDS), INTERNATIONAL)
SHORT_NAMES = tuple(short for land in LANDS for short in land.short_names)
