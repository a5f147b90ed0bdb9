"""Quotes cut from texts at random, and what careless hands make of them."""

import random
import re
import unicodedata

LONGEST = 2_000
_BLANKS = ("\u00a0", "  ", "\n", "\u2009 ", "\r\n")
_QUOTES = ('"', "»", "’", "'", "\u201c")
_DASHES = ("-", "‐", "‑", "–", "—", "\u2212")
_OMISSIONS = ("[...]", " [...] ", " […] ", " (...) ", " [. . .] ")
_WORD = re.compile(r"\w+|§")
# Not the blank in ``10 500``: a part of a number is another number, so no part of the wording.
_BETWEEN_WORDS = re.compile(r"(?<!\d) | (?!\d{3}(?!\d))")
STRANGE = "Xylophon"


def cut(text: str, rng: random.Random, least: int = 3) -> str:
    """From ``least`` words to ``LONGEST`` characters, cut between words."""
    words = _BETWEEN_WORDS.split(text)
    first = rng.randrange(max(1, len(words) - least))
    length = rng.choice((least + rng.randrange(10), least + rng.randrange(300)))
    words = words[first : first + length]
    while len(chosen := " ".join(words)) > LONGEST:
        words.pop()
    return chosen.strip()


def disturb(quote: str, rng: random.Random) -> str:
    """Other blanks, quotation marks, dashes and Unicode form, and a soft hyphen in every case."""
    noisy = "".join(rng.choice(_BLANKS) if sign == " " else sign for sign in quote)
    noisy = re.sub('[„“"]', lambda _: rng.choice(_QUOTES), noisy)
    noisy = re.sub("[-–]", lambda _: rng.choice(_DASHES), noisy)
    noisy = unicodedata.normalize(rng.choice(("NFC", "NFD")), noisy)
    place = rng.randrange(len(noisy))
    return f"{noisy[:place]}\u00ad{noisy[place:]}"


def change(quote: str, rng: random.Random) -> tuple[str, set[str]] | None:
    """One word inside changed, dropped or swapped with the next, and the words to be named.

    ``None`` where that leaves the wording as it was or there is no word at that place.
    """
    words = quote.split(" ")
    kind = rng.choice(("changed", "dropped", "swapped"))
    place = rng.randrange(1, len(words) - 2)
    touched = {"changed": words[place : place + 1], "dropped": words[place : place + 1]}.get(
        kind, words[place : place + 2]
    )
    if not all(_WORD.search(word) for word in touched):
        return None  # a sign alone is no word
    new = {"changed": [STRANGE], "dropped": []}.get(kind, touched[::-1])
    words[place : place + len(touched)] = new
    changed = " ".join(words)
    named = {word for each in touched for word in _WORD.findall(each)}
    same = _WORD.findall(changed) == _WORD.findall(quote)
    return None if same else (changed, {STRANGE} if kind == "changed" else named)


def omit(quote: str, rng: random.Random) -> list[str]:
    """The parts of a quote that stay when up to three stretches inside it are left out."""
    words = _BETWEEN_WORDS.split(quote)
    inside = range(2, len(words) - 2)
    places = sorted(rng.sample(inside, min(2 * rng.randint(1, 3), len(inside) // 2 * 2)))
    edges = [0, *places, len(words)]
    return [" ".join(words[a:b]) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def join(parts: list[str], rng: random.Random) -> str:
    """Parts with marks of omission between them."""
    quote = parts[0]
    for part in parts[1:]:
        quote += rng.choice(_OMISSIONS) + part
    return quote
