"""What a Randnummer is called: one list for all who read one, so that none is taken unread.

And how courts name a place by the headings of the reasons, which leads nowhere: ``zu II 2 b der
Gründe``, ``unter II.2``.
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
