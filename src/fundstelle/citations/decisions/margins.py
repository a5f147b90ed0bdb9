"""What a Randnummer is called: one list for all who read one, so that none is taken unread.

And how courts name what leads nowhere: a place by the headings of the reasons (``zu II 2 b der
Gründe``, ``unter II.2``), a page of the decision itself (``UA S. 12``), a Leitsatz, an Absatz.
"""

MARGIN = (
    r"(?>(?i:Rn|Rnd|Rnr|Rdn|Rd\.?[ -]{0,2}Nr|Rdz|Randn|Randnr|Randnummern?|Randz|Randziffern?|Rz|Tz"
    r"|Textziffern?|para(?:graph)?s?)(?![^\W\d_])\.?)"
)
"""Pattern of the word before the number, in any letters."""

_HEADING = r"(?:[IVX]{1,5}|[A-H]|\d{1,3}|[a-h]|aa|bb|cc|dd|ee|ff|\([a-z\d]{1,3}\))(?!\w)"
_HEADINGS = rf"{_HEADING}(?:(?:\.\s?|\)\s?|\s){_HEADING}){{0,6}}+"
_CAPITAL = rf"(?=[A-Z]){_HEADINGS}"
_NO_NOUN = r"(?!\)?\.?\s?[A-ZÄÖÜ/]\w|/)"
_REASONS = r"(?:Entscheidungsgr|Gr)ünde(?!\w)"
GROUNDS = (
    rf"(?<!\w)(?:(?:zu\s|unter\s|sub\s)?{_HEADINGS}[.)]?\sder\s{_REASONS}"
    rf"|{_REASONS},?\s(?:zu\s|unter\s)?{_HEADINGS}{_NO_NOUN}"
    rf"|(?:zu\s{_CAPITAL}|(?:unter|sub)\s(?:Ziff(?:er|\.)\s?|Nr\.\s?)?{_HEADINGS}){_NO_NOUN}"
    r"|Seiten?\s\d{1,4}(?!\w))"
)
"""Pattern of such a place, or of a page of the decision itself."""

_COPY = r"(?:UA|BA|(?:amtl(?:ich\w*|\.)\s?)?\w{0,14}(?:[Uu]mdr(?:uck)?|[Aa]bdr(?:uck)?)s?\.?),?\s"
PAGES = rf"(?:{_COPY})?(?:S\.?|Seiten?|pp?\.|pages?)\s?\d{{1,4}}(?![^\W\d_]|\d|/|\.\d)"
"""Pattern of a page of the decision itself, with the copy that it is counted in."""

_ORDINAL = (
    r"(?:\d{1,2}\.|(?:erst|zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt|letzt)e[nrsm]?)"
)
_HEADNOTE = r"(?:(?:Leits|Orientierungss)[aä]tz(?:e[ns]?|es)?|L[Ss]\.?|OS|[Hh]eadnotes?)(?!\w)"
HEADNOTES = (
    rf"(?:{_ORDINAL}\s(?:(?:und|u\.|bis|sowie)\s{_ORDINAL}\s)?(?:amtlichen?[rs]?\s)?{_HEADNOTE}"
    rf"|{_HEADNOTE}(?:\s(?:Nr\.?|Ziff(?:\.|er)))?\s?\d{{1,2}}(?!\w|\.\d))"
)
"""Pattern of a Leitsatz by its number, of which the text held does not say where it is."""

PARAGRAPHS = r"(?:Abs(?:\.|atz|ätze)|Ziff(?:\.|er))(?:-?\s?Nr\.?)?\s?\d{1,4}(?![\w/])"
"""Pattern of an Absatz or number of a decision, which is no Randnummer."""
