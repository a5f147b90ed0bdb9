"""Texts as genes: pieces that citations, quotes and questions are made of, each repeated."""

from collections.abc import Sequence
from random import Random

Gene = tuple[str, int]  # a piece and how often it stands in a row
Genome = tuple[Gene, ...]

PIECES: tuple[str, ...] = (
    *(" ", "  ", "\n", "\t", "\u00a0", "\u200b", "\u00ad", "\ufeff", ",", ", ", ".", ". ", ";"),
    *(":", "-", "\u2013", "/", "(", ")", "[", "]", "[...] ", " [...] ", "(\u2026) ", "\u2026"),
    *("\u201e", "\u201c", '"', "'", "<", ">", "<b>", "<br>", "&nbsp;", "&amp;", "&sect;", "%"),
    *(
        "\u00a7",
        "\u00a7 ",
        "\u00a7\u00a7 ",
        "Art. ",
        "Artikel ",
        "Abs. ",
        "Absatz ",
        "S. ",
        "Satz ",
    ),
    *("Nr. ", "Nummer ", "Buchst. ", "lit. ", "Halbs. ", "Alt. ", "Anlage ", "Anhang ", "Erwg. "),
    *(
        " bis ",
        " f.",
        " ff.",
        " und ",
        " oder ",
        " i.V.m. ",
        " iVm ",
        " in Verbindung mit ",
        "sowie ",
    ),
    *(
        "0",
        "1",
        "2",
        "9",
        "12",
        "433",
        "823",
        "2019",
        "99999",
        "1a",
        "I ",
        "II ",
        "IV ",
        "XVIII ",
        "x",
    ),
    *("a", "b)", "(1)", "(a)", "aa)", "A", "e\u0301", "\u0327\u0301", "\ufdfa", "\u0130", "\ufb03"),
    *(
        "BGB",
        " BGB",
        "GG",
        " StGB",
        " SGB V",
        "SGB ",
        "DSGVO",
        "VO (EU) 2016/679",
        "EUV",
        "BImSchV ",
    ),
    *(
        "B\u00fcrgerliches Gesetzbuch",
        "Gesetz \u00fcber ",
        "Verordnung ",
        "zur ",
        "des ",
        "der ",
        "vom ",
    ),
    *(
        "Richtlinie ",
        "Gesetzes zur \u00c4nderung ",
        "S\u00e4chsisches ",
        "Bundes",
        "gesetz",
        "ordnung",
    ),
    *(
        "BGH ",
        "BVerfG, ",
        "EuGH, ",
        "Urteil vom ",
        "Beschl. v. ",
        "1.1.2020",
        "12. M\u00e4rz 2019",
        "Az. ",
    ),
    *(
        "VI ZR 175/22",
        "1 BvR 1/20",
        "C-311/18",
        "Rs. C-",
        "ECLI:EU:C:2020:559",
        "NJW 2020, ",
        "BGHZ ",
    ),
    *(
        "BT-Drs. 19/1",
        "BGBl. I S. ",
        "Rn. ",
        "Rz. ",
        "SozR 4-2500 ",
        "GRUR ",
        "a.F.",
        " n.F. ",
        "idF ",
    ),
    *("in der Fassung ", "geltenden ", "Verf", "EMRK", "UAbs. ", "Richtlinien ", "Kap. ", "Teil "),
    *(
        "Wort ",
        "gilt ",
        "die ",
        "Schiff",
        "Frist ",
        "Verordnung",
        "und",
        "Anspruch ",
        "landlord ",
        "will ",
    ),
    *(
        "notice period ",
        "haftung",
        "Artikel 1 ",
        "\u00a7\u00a7 1 ff. ",
        "\u00a7\u00a7 1 bis 2000 ",
        "Anlage 2 ",
        "title deed ",
        "versicherung",
        "s",
        "aeoeuess",
        "donau",
        "dampf",
        "schiff",
        "fahrt",
    ),
    *(
        "de/bgb/",
        "eu/32016R0679/",
        "legal://norm/",
        "https://www.gesetze-im-internet.de/bgb/__1.html",
    ),
    *("\U0001f468\u200d\U0001f469", "\u4e00", "\u0661", "\u2167", "|", "+", "*", "=", "\\", "\x00"),
)
_MOST_GENES = 40


def render(genome: Genome, limit: int) -> str:
    """The text, cut at ``limit`` characters."""
    return "".join(piece * times for piece, times in genome)[:limit]


def make_genome(rng: Random, limit: int) -> Genome:
    """A few pieces, some of them often."""
    return tuple(_make_gene(rng, limit) for _ in range(rng.randint(1, 8)))


def mutate(genome: Genome, rng: Random, limit: int) -> Genome:
    """One to three small changes."""
    genes = list(genome)
    for _ in range(rng.randint(1, 3)):
        _change(genes, rng, limit)
    return tuple(genes[:_MOST_GENES]) or make_genome(rng, limit)


def cross(first: Genome, second: Genome, rng: Random) -> Genome:
    """The beginning of one and the end of another."""
    head = first[: rng.randint(0, len(first))]
    return (*head, *second[rng.randint(0, len(second)) :])[:_MOST_GENES] or first


def _make_gene(rng: Random, limit: int) -> Gene:
    times = rng.choice((1, 1, 1, 2, 5, 20, 100, 500, limit))
    return rng.choice(PIECES), min(times, limit)


def _change(genes: list[Gene], rng: Random, limit: int) -> None:
    kind = rng.randrange(7)
    if not genes or kind == 0:
        genes.insert(rng.randint(0, len(genes)), _make_gene(rng, limit))
        return
    at = rng.randrange(len(genes))
    piece, times = genes[at]
    if kind == 1:
        del genes[at]
    elif kind == 2:
        genes[at] = (piece, max(1, min(limit, rng.choice((times * 2, times // 2, times + 1)))))
    elif kind == 3:
        genes[at] = (rng.choice(PIECES), times)
    elif kind == 4:  # a row of two pieces instead of one
        genes[at] = (_shorten(piece + rng.choice(PIECES)), times)
    elif kind == 5:
        genes += genes[at : at + 3]
    else:
        letter = chr(rng.choice((rng.randint(33, 126), rng.randint(160, 591), 167)))
        cut = rng.randint(0, len(piece))
        genes[at] = (_shorten(piece[:cut] + letter + piece[cut:]), times)


def _shorten(piece: str) -> str:
    return piece[:200]


def describe(genomes: Sequence[Genome]) -> str:
    """The genes for a reader: ``'§ '*500 '1'``, one genome behind the other."""
    return " / ".join(
        " ".join(f"{piece!r}*{times}" if times > 1 else repr(piece) for piece, times in genome)
        for genome in genomes
    )
