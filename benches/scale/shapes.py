"""What the real decisions look like in numbers; nothing of their words.

Measured on the 861 decisions of ``../shared/corpus/decisions.tar.zst``: twentieths of a
distribution from the least to the most, and shares of kinds. The shares of courts are guessed from
German reporting, since that archive is full of one subject.
"""

CHARACTERS = (
    *(131, 3_856, 6_646, 9_007, 10_835, 12_537, 13_970, 16_071, 17_901, 20_344, 22_395, 24_407),
    *(26_504, 29_077, 32_079, 34_757, 38_343, 42_670, 48_882, 61_354, 125_000),
)
"""Of a decision's text; the longest has 266,071, and the last twentieth the mean of these two."""

CITATIONS_PER_1000 = (0.4, 1.3, 1.9, 2.3, 2.6, 2.9, 3.2, 3.6, 4.1, 5.0, 9.0)
"""Citations in a thousand characters, in tenths."""

KINDS = (
    ("norm", 0.466),  # of a law that is held
    ("unheld", 0.208),  # of one that is not
    ("held decision", 0.045),
    ("decision", 0.099),
    ("reporter", 0.085),
    ("eu", 0.075),
    ("gazette", 0.022),
)

YEARS = tuple(range(1995, 2026))
YEAR_WEIGHTS = (
    *(1, 1, 2, 4, 4, 2, 3, 10, 10, 19, 16, 24, 33, 41, 42, 49, 65, 66, 57, 40, 46, 46, 44, 42, 41),
    *(40, 38, 36, 35, 34, 20),
)

COURTS = (
    # name for people, place, first and last panel, docket, letters of its ECLI, share
    ("BGH", "", 12, "{panel} ZR {number}/{year}", "BGH", 14),
    ("BVerwG", "", 10, "{arabic} C {number}.{year}", "BVerwG", 6),
    ("BAG", "", 10, "{arabic} AZR {number}/{year}", "BAG", 6),
    ("BFH", "", 11, "{panel} R {number}/{year}", "BFH", 6),
    ("BSG", "", 9, "B {arabic} KR {number}/{year} R", "BSG", 5),
    ("OLG", "Köln", 20, "{arabic} U {number}/{year}", "", 12),
    ("OLG", "Hamm", 20, "{arabic} U {number}/{year}", "", 9),
    ("OVG", "Nordrhein-Westfalen", 15, "{arabic} A {number}/{year}", "", 10),
    ("VG", "Köln", 25, "{arabic} K {number}/{year}", "", 12),
    ("VG", "Berlin", 25, "{arabic} K {number}.{year}", "", 8),
    ("LG", "Frankfurt", 20, "{arabic} O {number}/{year}", "", 7),
    ("LAG", "Hamm", 18, "{arabic} Sa {number}/{year}", "", 5),
)

LAWS = (
    # as it is cited, number of the last section, how often
    ("BGB", 2_385, 24),
    ("ZPO", 1_117, 22),
    ("VwGO", 195, 20),
    ("StGB", 358, 6),
    ("VwVfG", 103, 8),
    ("HGB", 475, 4),
    ("ArbGG", 122, 4),
    ("SGG", 223, 4),
    ("FGO", 184, 3),
    ("InsO", 359, 3),
    ("UrhG", 142, 2),
)
"""Laws that the measured build holds."""

SLUGS = (
    *("bgb", "zpo", "vwgo", "stgb", "vwvfg", "hgb", "arbgg", "sgg", "fgo", "inso", "urhg", "gg"),
)
"""Their folders in the archive of federal law."""

UNHELD = ("TVöD", "PresseG NRW", "IFG NRW", "BauO NRW", "VwVG NRW", "BRAGO", "SchulG Bln", "BAT")
EU_ACTS = ("DSGVO", "der Richtlinie 93/13/EWG", "der Verordnung (EG) Nr. 1049/2001", "AEUV")
REPORTERS = ("NJW", "BGHZ", "BVerwGE", "NVwZ", "BAGE", "DVBl", "NZA", "MDR")
MOST_CITED = ("§ 242 BGB", 0.004)
"""A norm that is cited beyond its share, so that there is one whose citing decisions are many."""

FUNCTION_WORDS = (
    "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an"
    " werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum"
    " war haben nur oder aber vor zur bis mehr durch man sein wurde wenn können soweit hierzu"
)
SYLLABLES = (
    "b br d f fl g gr h k kl l m n p pr r s sch schl st t tr v w z",
    "a e i o u au ei ie ä ö ü",
    "n r l t s ng nd rt st ch cht",
    "ung keit heit schaft en er lich isch bar te ten end",
)
"""How words begin, their vowels, how syllables end, and words."""
