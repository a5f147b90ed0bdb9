"""English questions of German law: the German terms for the English ones, from a table.

``data/terms.tsv`` holds English terms of law and of everyday life beside the terms in which the
statutes speak. ``looks_english`` says whether a question is English; one that is not, or not
clearly, is never translated, since a German word may look like an English one (Gift, Brand).
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources

from fundstelle.search.words.german import STOP_WORDS
from fundstelle.search.words.phrases import ARTICLES, Match, Phrases, split

# "Will my landlord ..." is no testament: the word counts behind one of these, or as the last one.
_TESTAMENT = """
    by change changing contest contesting father handwritten holographic husband invalid joint last
    make making mother new no notarial of old or parent revoke revoking spouse under valid wife
    with without write writing written
"""
_BEFORE_WILL = ARTICLES | frozenset(_TESTAMENT.split())

# Words that English has for its grammar, and those alike in German, which say nothing of either.
_FUNCTION = """
    a about after against any are at be because been before being between but by can can't cannot
    could did didn't do does doesn't don't during every for from get got had has have having he him
    his how i i'm i've if im into is isn't it's its long many may me might much must my no not of on
    or our over shall she should some than that the their them then there these they this those to
    under until we what what's when where which while who whom whose why with without won't would
    you your
"""
_IN_BOTH = """
    all also am an art artikel abs bin den die hat her hin in man nr satz so um war was weg will
"""
_QUESTION = "bitte deutsch etwa gern ja mal nein oft schon sowas"
_ENGLISH = frozenset(_FUNCTION.split())
_DOUBTFUL = frozenset(_IN_BOTH.split()) - {"all", "also", "am", "an", "in", "so"}
_GERMAN = (STOP_WORDS | frozenset(_QUESTION.split())) - frozenset(_IN_BOTH.split())

# English terms that stand in German sentences as well, so they are no sign of English.
_BORROWED = """
    action administration administrator adoption agent ai airbnb airport anmeldung archive arrest
    audit autobahn bafin bank biogas bitcoin board bonus brand budget bundesrat bundestag bus
    cannabis cash city club cookie corporation csr dashcam demonstration domain emission engagement
    eu euro explosion export finder fracking fund gang gas geoblocking gift gmo graffiti hack hacker
    hacking horn hotel import influencer insolvent intern ivf job jobcenter jury kindergarten kyc
    land leasing liquidation liquidator llc ltd mail marketing media mediation mediator meter
    minister mobbing moped mpu name newsletter partner patent patient pedelec pension phishing plane
    platform police profiling protest prostitution radon ranking ransomware recycling
    rehabilitation religion resolution restaurant roaming sabbatical schengen schufa software spam
    sponsor stalker stalking startup streaming student tachograph taxi telecom tender testament
    tracking trainee uber union update visa will
"""
_BORROWED_PHRASES = """
    blue card, code of conduct, data act, digital services act, due diligence, e bike, e commerce,
    e scooter, home office, insider trading, internet of things, know how,
    reverse charge, smart meter, start up
"""
_LOANS = frozenset(_BORROWED.split()) | frozenset(
    " ".join(phrase.split()) for phrase in _BORROWED_PHRASES.split(",")
)
_UMLAUT = re.compile("[äöüß]")
_CLEAR = 2  # words or terms it takes to call a question English


@lru_cache(maxsize=256)  # a search asks for its ranking and for its snippets
def translate(query: str) -> tuple[str, ...]:
    """The German terms for the English ones in a question, in its order, each once.

    Of terms that overlap the longest counts ("notice period", not "notice"). Nothing for a
    question that ``looks_english`` does not call English.
    """
    if not looks_english(query):
        return ()
    found = (term for match in _iter_matches(split(query)) for term in match.german)
    return tuple(dict.fromkeys(found))


def looks_english(query: str) -> bool:
    """Whether a question is clearly English.

    A German function word says no. Two English function words or terms say yes, and so do fewer
    if the question consists of nothing else; words of both languages count for neither.
    """
    words = split(query)
    if any(word in _GERMAN for word in words):
        return False
    if _UMLAUT.search(query.lower()):  # an English question may name a German thing
        return sum(word in _ENGLISH for word in words) >= _CLEAR
    matches = list(_iter_matches(words))
    inside = {place for match in matches for place in match.places}
    functions = sum(word in _ENGLISH for place, word in enumerate(words) if place not in inside)
    clear = [match for match in matches if " ".join(match.words) not in _LOANS]
    if not functions and not _DOUBTFUL.isdisjoint(words):
        return False
    if functions + len(clear) >= _CLEAR:
        return True
    covered = functions + sum(len(match.words) for match in clear)
    return bool(clear) and covered == sum(word not in ARTICLES for word in words)


def _iter_matches(words: list[str]) -> Iterator[Match]:
    for match in _read_table().find_all(words):
        if match.words != ("will",) or not _is_verb(words, match.places.start):
            yield match


def _is_verb(words: list[str], place: int) -> bool:
    last = place == len(words) - 1
    return not last and (place == 0 or words[place - 1] not in _BEFORE_WILL)


def read_pairs() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The rows of the table: an English term, the German ones for it, the best first."""
    text = (resources.files("fundstelle.search") / "data" / "terms.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            english, german, _ = line.split("\t")
            yield english, tuple(german.split(" | "))


@cache
def _read_table() -> Phrases:
    return Phrases.build(read_pairs())
