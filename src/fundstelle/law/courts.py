"""Courts by their short names: those of the European Union, and who stands above whom."""

EU_COURT_OF = {"C": "EuGH", "T": "EuG", "F": "EuGöD"}
"""By the letter of their cases and ECLIs. Source: Council conclusions 2011/C 127/01 on the ECLI;
the Civil Service Tribunal (F) sat from 2005 to 2016."""
EU_COURTS = frozenset(EU_COURT_OF.values())

COURT_OF_COLLECTION = {
    **dict.fromkeys(["BVerfGE", "BVerfGK"], "BVerfG"),
    **dict.fromkeys(["BGHZ", "BGHSt"], "BGH"),
    **dict.fromkeys(["RGZ", "RGSt"], "RG"),
    **{f"{court}E": court for court in ("BVerwG", "BAG", "BFH", "BSG", "BPatG", "PrOVG")},
}
"""Whose decisions alone an official collection has."""

LOWEST_RANK = 9
_RANKS = {
    1: ("BVerfG", "EuGH", "EGMR", "GmS-OGB"),
    2: ("BGH", "BVerwG", "BAG", "BFH", "BSG", "EuG"),
    3: ("BPatG", "BayObLG", "VerfGH", "StGH", "LVerfG", "VerfG", "EuGöD"),
    4: ("OLG", "KG", "OVG", "VGH", "BayVGH", "LAG", "LSG", "FG", "HessVGH"),
    5: ("LG", "VG", "ArbG", "SG"),
    6: ("AG",),
}
_RANK_OF = {name: rank for rank, names in _RANKS.items() for name in names}


def get_rank(court: str) -> int:
    """The rank of a court, 1 the highest, by the first word of its short name."""
    return _RANK_OF.get(court.split(maxsplit=1)[0] if court else "", LOWEST_RANK)
