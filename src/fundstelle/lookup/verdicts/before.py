"""What stands right before a citation in a draft and names a text that is no longer, or not yet.

``der bis zum 31. Dezember 2001 geltende § 196 BGB``: what is known of today's text, or that there
is none, says nothing of that one. The mirror of what stands behind a citation.
"""

import re
from dataclasses import replace

from fundstelle.citations.text.dates import DATE
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation
from fundstelle.lookup.verdicts.judge import Verdict
from fundstelle.lookup.verdicts.quoted import say_omitted

_REACH = 110  # characters that are looked at
_SENTENCE_GOES_ON = r"(?:[^.;()]|(?<=\d)\.|(?<= [vVdD])\.){1,80}?"
_CURRENT = r"(?!(?:jeweils|derzeit|aktuell\w*|heut\w*|gegenwärtig|nunmehr|nun|seit|ab)(?!\w))"
_FORMER = (
    r"(?:damalig|früher|alt|ehemalig|vormalig|vorherig|seinerzeitig|einstig|ursprünglich|bisherig"
    r"|aufgehoben|weggefallen|gestrichen|geplant|künftig|zukünftig|vorgeschlagen)e[nrsm]?"
)
_DATED = rf"(?:{DATE}|(?:Ende |Mitte |Anfang )?(?:19|20)\d\d)"
_IN_FORCE = r"(?:geltend|gültig|anwendbar|maßgeblich|bestehend)e[nrsm]?"
_RULE = r"(?:Fassung|Vorschrift|Regelung|Bestimmung|Norm|Wortlaut|Rechtslage|Recht)(?:e?s|en)?"
_OF = r"(?:des|der|den|dem|von|vom|in|nach|gemäß)"
_NAMED = re.compile(
    rf"(?<!\w)(?:bis(?: zum| einschließlich)? {_DATED} (?:noch )?{_IN_FORCE}"
    rf"|(?:vom|von|zwischen|am|im)(?: dem| Jahre?)? (?:{_DATED})(?: (?:bis|und)(?: zum)? {_DATED})?"
    rf" {_IN_FORCE}"
    rf"|(?:in|nach) (?:der|ihrer|seiner) {_CURRENT}{_SENTENCE_GOES_ON} Fassung"
    rf"|(?:inzwischen |zwischenzeitlich |mittlerweile )?{_FORMER}"
    r"|(?:former|old|previous|repealed|then[ -]applicable))"
    rf"(?: {_RULE})?(?: {_OF})? ?\Z"
)
_GONE = re.compile(r"(?:aufgehoben|weggefallen|gestrichen)e|repealed")  # as the verdict has it


def find_former(words: str) -> str | None:
    """What right before a citation names another text of it; ``None`` if nothing does."""
    named = _NAMED.search(re.sub(r"\s", " ", words))
    return None if named is None else named[0].strip()


def is_of_gone(words: str) -> bool:
    """Whether they say themselves that it is repealed: ``der aufgehobene § 3``."""
    return _GONE.search(words) is not None


def doubt_former(verdict: Verdict, found: FoundCitation, text: str) -> Verdict:
    """The verdict on a law, unclear where words before its citation name another text of it."""
    is_law = isinstance(found.targets[0], NormCitation | EuCitation)
    if not is_law or verdict.verdict not in {"ok", "wrong", "repealed"}:
        return verdict
    named = find_former(text[max(0, found.start - _REACH) : found.start])
    is_repealed = verdict.verdict == "repealed"
    if named is None or (is_repealed and is_of_gone(named)):
        return verdict
    why = note = f"Not read: what stands before it, “{named}”."
    if is_repealed:
        why = note = f"{why} {verdict.why}"
    if verdict.check is not None and verdict.check.omitted:
        why += f" {say_omitted(verdict.check.omitted)}"
    return replace(verdict, verdict="unclear", correct=None, why=why, note=note)
