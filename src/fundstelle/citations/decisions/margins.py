"""What a Randnummer is called: one list for all who read one, so that none is taken unread."""

MARGIN = (
    r"(?>(?i:Rn|Rnd|Rnr|Rdn|Rd\.?[ -]{0,2}Nr|Rdz|Randn|Randnr|Randnummern?|Randz|Randziffern?|Rz|Tz"
    r"|Textziffern?|para(?:graph)?s?)(?![^\W\d_])\.?)"
)
"""Pattern of the word before the number, in any letters."""
