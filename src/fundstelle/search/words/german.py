"""German analysis: from a text to the terms it is searched by.

An index and the questions asked of it must be analysed alike, so both use one ``GermanAnalyzer``
with the same splitter. A word gives its Snowball stem and the stems of its parts; umlauts may be
written either way (``Käufer``, ``Kaeufer``) and ß as ss, which Snowball's German stemmer (3.0 and
later) folds together. Numbers are terms as written (``312g``), after § once more with the sign
(``§823``).
"""

import re
import unicodedata
from collections.abc import Iterable

import Stemmer

from fundstelle.search.words.compounds import CompoundSplitter

# Lower case. The first branch is the second one for nearly all words, and finds them faster.
_WORD = re.compile(r"[a-zß-öø-ÿ]++[^\W\d_]*+|[^\W\d_]++|(?<!§)§++\s*+\d+[a-z]?\b|\d+[a-z]?\b|\d+")
_MAX_WORD = 60
_MEMO = 100_000

# Words that say nothing of the subject: function words, question words, and the words of
# references ("nach Absatz 1 Satz 2 gilt"), which stand in nearly every norm.
_STOP = """
    ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer
    anderes auch auf aus außer bei beim bereits bin bis bist da dabei dadurch dafür dagegen daher
    damit danach daneben dann daran darauf daraus darf darin darüber das dasselbe dass daß davon
    dazu dein deine dem demselben den denen denn der deren derselbe derselben des desselben dessen
    die dies diese dieselbe dieselben diesem diesen dieser dieses doch dort du durch dürfen ebenso
    ein eine einem einen einer eines einig einige einiger er es etwa etwas euer eure falls für
    gegen gegenüber gemäß gewesen gibt gilt gelten hab habe haben hat hatte hatten hätte hier
    hierbei hierfür hierzu hin hinsichtlich hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer
    ihres im in indem infolge innerhalb ins insbesondere insoweit ist je jede jedem jeden jeder
    jedes jedoch jene jenem jenen jener jenes jetzt jeweilige jeweiligen jeweils kann kein keine
    keinem keinen keiner können könnte man manche mehr mein meine meinem meinen meiner meines mich
    mir mit mittels muss muß musste müssen möchte nach nachdem neben nicht nichts noch nun nur ob
    oder ohne sehr sein seine seinem seinen seiner seines selbst seit sich sie sind so sobald
    sofern solche solchem solchen solcher soll sollen sollte sondern sonst sonstige sonstigen
    soweit sowie sowohl statt trotz über um und uns unser unsere unter viel vom von vor während
    wann war waren warum was weder weg wegen weil weiter weitere weiteren welche welchem welchen
    welcher welches wenn wer werde werden wessen wie wieder wieso will wir wird wirst wo wobei
    wodurch wofür wollen wollte womit worden wozu wurde wurden würde würden zu zum zur zwar
    zwischen
    abs absatz absatzes absätze absätzen art artikel artikels artikeln buchst buchstabe buchstaben
    bzw halbsatz nr nrn nummer nummern paragraf paragraph paragraphen satz satzes sätze sätzen
"""
STOP_WORDS = frozenset(_STOP.split())
# "Maengelhaftung": the stemmer reads it as it should, but the splitter knows only "Mängel".
_SPELT_OUT = re.compile("ae|oe|(?<![aeq])ue")
_UMLAUTS = {"ae": "ä", "oe": "ö", "ue": "ü"}


def find_words(text: str) -> list[str]:
    """The words and numbers of a text in lower case, as written; a § stays with its number."""
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return _WORD.findall(text.lower())


class GermanAnalyzer:
    """Turns words into terms. Not shared between threads (the stemmer keeps state)."""

    def __init__(self, splitter: CompoundSplitter) -> None:
        self._splitter = splitter
        self._stem = Stemmer.Stemmer("german", 0).stemWord
        self._memo: dict[str, tuple[str, ...]] = {}

    def analyse(self, text: str) -> list[str]:
        """The terms of a text, in its order, repeated as often as they stand there."""
        return [term for word in find_words(text) for term in self.analyse_word(word)]

    def stem(self, word: str) -> str:
        """The stem of one word as ``find_words`` gives it; nothing is kept of it."""
        stem: str = self._stem(word)
        return stem

    def analyse_word(self, word: str) -> tuple[str, ...]:
        """The terms of one word as ``find_words`` gives it: the word itself, then its parts."""
        if len(word) > _MAX_WORD:  # it is none: nothing is kept of it
            return ()
        terms = self._memo.get(word)
        if terms is None:
            if len(self._memo) >= _MEMO:
                self._memo.clear()
            terms = self._memo[word] = self.read_word(word)
        return terms

    def read_word(self, word: str) -> tuple[str, ...]:
        """As ``analyse_word``, for a caller that remembers words itself."""
        return () if len(word) > _MAX_WORD else tuple(dict.fromkeys(self._read(word)))

    def _read(self, word: str) -> Iterable[str]:
        if word in STOP_WORDS:
            return
        if word[0] == "§":
            number = word.lstrip("§").lstrip()
            yield "§" + number
            yield number
            return
        yield self._stem(word)
        parts = self._splitter.split(word)
        if not parts and _SPELT_OUT.search(word):
            parts = self._splitter.split(_SPELT_OUT.sub(lambda found: _UMLAUTS[found[0]], word))
        for part in parts:
            if part not in STOP_WORDS:
                yield self._stem(part)
