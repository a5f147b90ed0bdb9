"""What must hold between two ways of writing: the same unit reads the same, other words do not."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fundstelle.citations.format import format_citation, format_path
from fundstelle.citations.laws.sozialgesetzbuch import BOOKS
from fundstelle.citations.parse import parse
from fundstelle.law.citations import EuCitation, NormCitation, PathStep

_LAWS = ["BGB", "StGB", "SGB V", "KSchG", "VwGO", "EStG", "39. BImSchV", "GG", "EMRK"]
_LEVELS = [
    ("abs", st.integers(1, 30).map(str)),
    ("uabs", st.integers(1, 5).map(str)),
    ("satz", st.integers(1, 30).map(str)),
    (
        "nr",
        st.builds(lambda n, letter: f"{n}{letter}", st.integers(1, 99), st.sampled_from("  ab")),
    ),
    ("buchst", st.sampled_from("abcdeghj")),
    ("dbuchst", st.sampled_from(["aa", "bb", "cc"])),
]


@st.composite
def targets(draw: st.DrawFn) -> NormCitation | EuCitation:
    """A section with one level below it, or more."""
    steps = [
        PathStep(level, draw(values).strip()) for level, values in _LEVELS if draw(st.booleans())
    ]
    assume(steps and steps[0].level != "dbuchst")
    number = f"{draw(st.integers(1, 999))}{draw(st.sampled_from(['', 'a', 'g', 'cd']))}"
    if draw(st.integers(0, 4)) == 0:
        return EuCitation("32016R0679", "DSGVO", "Art", number, path=tuple(steps))
    law = draw(st.sampled_from(_LAWS))
    unit = "Art" if law in {"GG", "EMRK"} else "§"
    return NormCitation(law, unit, number, path=tuple(steps))


def write(target: NormCitation | EuCitation, form: str) -> str:
    sign = "§" if target.unit == "§" else "Art."
    below = format_path(target.path)
    return form.format(head=f"{sign} {target.number}", path=below, law=target.law, n=target.number)


FORMS = [
    "{head} {law} {path}",
    "{head} {law}, {path}",
    "{head} {law} ({path})",
    "{path} {head} {law}",
    "{path}, {head} {law}",
    "{path} des {head} {law}",
    "{path} von {head} {law}",
    "{law} {head} {path}",
    "{law}, {head} {path}",
    "{law} {n} {path}",
    "{n} {path} {law}",
    "vgl. {head} {path} {law}.",
    "({head} {path} der {law})",
    "i. S. d. {head} {law} {path} analog",
]


@settings(max_examples=400, deadline=None)
@given(targets(), st.sampled_from(FORMS))
def test_every_way_of_writing_a_unit_reads_as_the_usual_one(
    target: NormCitation | EuCitation, form: str
) -> None:
    written = write(target, form)
    parsed = parse(written)
    assert (parsed.targets, parsed.unparsed) == ((target,), ()), written


@settings(max_examples=200, deadline=None)
@given(targets(), st.integers(1, 4))
def test_levels_may_stand_on_both_sides_of_the_law(
    target: NormCitation | EuCitation, cut: int
) -> None:
    assume(cut < len(target.path))
    above, below = format_path(target.path[:cut]), format_path(target.path[cut:])
    sign = "§" if target.unit == "§" else "Art."
    parsed = parse(f"{sign} {target.number} {above} {target.law} {below}")
    assert (parsed.targets, parsed.unparsed) == ((target,), ())


ADDED = [
    "Abs. 77",
    "Satz 99",
    "Nr. 55 Buchst. f",
    "Unsinn",
    "ohne Absatz 2",
    "erster Abschnitt",
    "Tabelle 7",
    "88",
    "77. Halbjahr",
    "xyz",
    "außer Satz 2",
    "nicht",
]


@settings(max_examples=400, deadline=None)
@given(targets(), st.sampled_from(FORMS), st.sampled_from(ADDED), st.booleans())
def test_a_word_that_means_something_is_read_or_said_to_be_unread(
    target: NormCitation | EuCitation, form: str, added: str, in_front: bool
) -> None:
    written = write(target, form)
    written = f"{added} {written}" if in_front else f"{written} {added}"
    parsed = parse(written)
    assert parsed.targets != (target,) or parsed.unparsed, written


@settings(max_examples=200, deadline=None)
@given(targets(), st.sampled_from(["siehe", "vgl. auch", "gemäß", "i.S.v.", "(", "nach der", "- "]))
def test_a_word_that_means_nothing_changes_nothing(
    target: NormCitation | EuCitation, word: str
) -> None:
    parsed = parse(f"{word} {format_citation(target)}")
    assert (parsed.targets, parsed.unparsed) == ((target,), ())


def test_what_is_unread_stands_in_the_text_as_it_was_written() -> None:
    written = "§\u00a0823&nbsp;BGB \u2013 Kind\u00ader und Gärten"
    (piece,) = parse(written).unparsed
    assert piece == "Kind\u00ader und Gärten"


@given(
    st.integers(1, 400),
    st.lists(st.integers(1, 99), min_size=2, max_size=5, unique=True),
    st.sampled_from([("Nr.", "nr"), ("Abs.", "abs"), ("Satz", "satz")]),
    st.sampled_from([" und ", ", ", " oder "]),
)
def test_below_one_section_a_bare_number_counts_what_was_counted_before(
    section: int, values: list[int], level: tuple[str, str], joint: str
) -> None:
    """However far apart: "§ 4 Nr. 1 und 21 UStG" is no § 21."""
    word, name = level
    read = parse(f"§ {section} {word} {joint.join(map(str, values))} UStG")
    assert [(one.number, one.path) for one in read.targets if isinstance(one, NormCitation)] == [
        (str(section), (PathStep(name, str(value)),)) for value in values
    ]
    assert not read.unparsed


@given(targets(), st.sampled_from(["０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"]))
def test_digits_of_every_script_are_read_alike(
    target: NormCitation | EuCitation, digits: str
) -> None:
    written = write(target, "{head} {path} {law}")
    other = written.translate(str.maketrans("0123456789", digits))
    assert parse(other).targets == parse(written).targets
    assert not parse(other).unparsed


@given(st.integers(1, 999), st.sampled_from("aghivx"), st.integers(1, 20))
def test_a_letter_in_front_of_an_absatz_is_none_however_it_is_written(
    number: int, letter: str, absatz: int
) -> None:
    usual = parse(f"§ {number}{letter} Abs. {absatz} BGB").targets
    for form in ("§ {n}{l} ABS. {a} BGB", "§ {n}{l} Absatz {a} BGB", "§ {n}{l} Abs. {a} BGB"):
        assert parse(form.format(n=number, l=letter.upper(), a=absatz)).targets == usual


@given(st.integers(1, 300), st.integers(1, 30), st.integers(1, 9))
def test_below_an_article_an_absatz_is_one_of_its_section(
    article: int, section: int, absatz: int
) -> None:
    usual = parse(f"Art. {article} § {section} Abs. {absatz} EGBGB").targets
    assert parse(f"Art. {article} § {section} EGBGB Abs. {absatz}").targets == usual


@given(st.sampled_from(sorted(BOOKS)), st.integers(1, 200), st.integers(1, 9))
def test_the_number_of_a_book_behind_its_name_is_no_part_of_the_norm(
    stem: str, section: int, absatz: int
) -> None:
    roman, ordinal = BOOKS[stem], stem.capitalize()
    assume(roman != "XIII")
    usual = parse(f"§ {section} Abs. {absatz} SGB {roman}").targets
    for law in (
        f"Sozialgesetzbuch (SGB) {ordinal}es Buch ({roman})",
        f"Sozialgesetzbuch {ordinal}es Buch ({roman})",
        f"des {ordinal}en Buches Sozialgesetzbuch ({roman})",
    ):
        assert parse(f"§ {section} Abs. {absatz} {law}").targets == usual
