"""Where sentences begin in German statutory text.

Source: Handbuch der Rechtsförmlichkeit on how sentences are counted; the abbreviations are those
of the federal texts. A colon never ends a sentence.
"""

import re

_CANDIDATE = re.compile(
    r"[.!?](?P<close>[)\]“”»«\"'’‘]*)\s+(?=(?P<open>[„\"»«‚‘'(\[]*)(?P<next>[A-ZÄÖÜ§0-9]))"
)
_WORD = re.compile(r"[\wÄÖÜäöüß-]+")
_YEAR_DIGITS = 4
_ROMAN = re.compile(r"[IVXLC]+")
_DOTTED = re.compile(r"(?:[A-Za-zÄÖÜäöü]{1,3}\.)+[A-Za-zÄÖÜäöü]{1,3}")

_MONTHS = frozenset(
    (
        "Januar Jänner Februar März April Mai Juni Juli August September Oktober November"
        " Dezember Jan Febr Feb Apr Aug Sept Okt Nov Dez"
    ).split()
)

# Never the last word of a sentence: a number or a name follows.
_ABBREVIATIONS = frozenset(
    (
        "abs abschn absatzn anh anl anm art artt aufl ausg ausn bek ber betr bd bl buchst bundesanz"
        " bzgl bzw ca dr dipl ing doppelbuchst einschl entspr erl evtl fn fußn geb gem ges ggf halbs"
        " hs hrsg ill inkl insb insbes kap kl lfd lit max min nat nr nrn nrs nummn pos prof rd rdnr"
        " rn rspr s satzn sen sog sp spiegelstr st str tab tel teilnr tit tz u uabs unterabs unterabschn"
        " v verf vgl vol vom-hdt vorb z zb ziff ziffn zit zul allg amtl bspw chem durchschn"
        " elektr engl europ franz gesetzl ggü höchst jur kath lat med mind mündl öff östl phys russ"
        " schriftl span südl nördl techn tierärztl usf veröff westl wiss zahnärztl zzgl abk"
        " bgbl rgbl banz vkbl gvbl gmbl bstbl abl gbl rmbl wigbl amtsbl verkbl gesetzbl reichsgesetzbl"
    ).split()
)

# May be the last word: what follows decides.
_MAY_END = frozenset(
    "f ff usw etc mio mrd eg ewg euratom art st hdt std min sek tsd jh bl tel".split()
)

# Words that stand before a number: a full stop after the number ends the sentence.
_BEFORE_NUMBER = frozenset(
    (
        "Satz Sätze Sätzen Satzes Absatz Absätze Absätzen Absatzes Nummer Nummern Artikel Artikeln"
        " Artikels § §§ Nr Nrn Abs Art Anlage Anlagen Anhang Anhänge Teil Teils Abschnitt Abschnitts"
        " Kapitel Kapitels Buch Titel Unterabschnitt Halbsatz Stufe Klasse Gruppe Spalte Ziffer Ziff"
        " Zeile Muster Tabelle Formel Bild Buchstabe Paragraph Regel Formblatt Besoldungsgruppe"
        " Entgeltgruppe Abbildung Unterabsatz Nummernkreis Kategorie Zone Faktor Wert Note Feld"
    ).split()
)
_BEFORE_LETTER = frozenset(
    (
        "Buchstabe Buchstaben Buchst Anlage Abschnitt Teil Klasse Kategorie Gruppe Typ Spalte lit"
        " Doppelbuchstabe Anhang Muster Zone"
    ).split()
)

# Words written with a capital only because a sentence begins with them.
_STARTERS = frozenset(
    (
        "Ab Abs Absatz Absätze Abweichend Abweichende Alle Allein Als Also Am An Andere Andernfalls"
        " Anderenfalls Anders Anschließend Anstelle Anstatt Auch Auf Aufgrund Aus Ausgenommen"
        " Außer Außerdem Außerhalb Bedarf Befindet Begehrt Beginnt Bei Beide Beim Bereits Besitzt"
        " Besondere Besteht Bestehen Betrifft Betragen Beträgt Bevor Bezieht Bis Bleibt Bleiben Da Dabei"
        " Dadurch Dafür Dagegen Daher Damit Danach Daneben Dann Daran Darauf Daraus Darf Darin"
        " Darüber Darunter Das Dasselbe Dauert Davon Davor Dazu Dem Den Denjenigen Der Deren"
        " Derjenige Derselbe Des Dessen Desgleichen Die Dies Diese Dieselben Diesem Diesen Dieser"
        " Dieses Dient Durch Dürfen Ebenfalls Ebenso Eignet Ein Eine Einem Einen Einer Eines Einigen"
        " Entfällt Entgegen Enthält Entscheidet Entsprechend Entsprechendes Entsteht Er Erfolgt"
        " Erforderlichenfalls Erfüllt Ergeben Ergibt Ergänzend Ergeht Erhält Erhalten Erklärt Erlässt"
        " Ersetzt Erst Erstreckt Erweist Es Etwaige Fällt Fehlt Ferner Findet Finden Für Gegebenenfalls"
        " Gegen Gegenüber Gehen Gehört Gehören Geht Gelten Genügt Gibt Gilt Gleiche Gleiches"
        " Gleichzeitig Haben Handelt Hat Hatte Hält Hierbei Hierdurch Hierfür Hiergegen Hiermit Hiernach"
        " Hierüber Hierunter Hiervon Hierzu Ihm Ihn Ihnen Ihr Ihre Ihrem Ihren Ihrer Im In Infolge"
        " Innerhalb Ins Insbesondere Insoweit Ist Jede Jedem Jeden Jeder Jedes Jedoch Kann Kein"
        " Keine Keiner Können Kommt Kommen Lag Lassen Lässt Läßt Lautet Legt Lehnt Leistet Lediglich"
        " Liegen Liegt Macht Machen Maßgebend Maßgeblich Mehrere Meldet Mit Möchte Muss Muß Müssen"
        " Nach Nachdem Nachweise Neben Nicht Nimmt Nur Ob Oberhalb Obliegt Ohne Satz Sätze Sei Sein"
        " Seine Seinem Seiner Seit Selbständig Sie Sieht Sind So Sobald Sofern Solange Solche Soll"
        " Sollen Sollte Somit Sondern Sonst Sonstige Soweit Sowohl Spätestens Statt Stehen Steht Stellt"
        " Stellen Stimmt Tritt Treten Trifft Treffen Trotz Über Überschreitet Übersteigt Übrige Um"
        " Umfasst Umfaßt Unabhängig Unbeschadet Und Unter Unterbleibt Unterliegt Verbleibt Verbleibende"
        " Verfügt Verlangt Verliert Verstößt Vertritt Vom Von Vor Vorbehaltlich Vorher Vorstehende"
        " Während Wahlweise War Waren Wäre Wegen Weicht Weist Weitere Weiterhin Weiteres Welche Welcher"
        " Wenn Wer Werden Wie Widerspricht Will Wird Wo Wohnt Wollen Wurde Wurden Zahlt Zieht Zu Zugleich"
        " Zum Zur Zusätzlich Zuständig Zuvor Zwei Zwischen"
    ).split()
)


def find_starts(text: str, start: int, end: int) -> list[int]:
    """Offsets in ``text[start:end]`` at which a further sentence begins; *start* is not among them.

    A full stop inside brackets or quotation marks that close in the same stretch ends nothing.
    """
    starts = []
    begun = start
    for match in _CANDIDATE.finditer(text, start, end):
        if match.end() >= end:
            break
        if is_end(text, begun, match) and not _is_enclosed(text, begun, match.start(), end):
            begun = match.end()
            starts.append(begun)
    return starts


def ends_between(text: str, start: int, line_start: int, line_end: int) -> bool:
    """Whether a sentence begun at *start* ends before the line that starts at *line_start*."""
    for match in _CANDIDATE.finditer(text, max(start, line_start - 8), line_end):
        if match.end() == line_start:
            return is_end(text, start, match)
        if match.start() >= line_start:
            break
    return False


def is_end(text: str, begun: int, match: re.Match[str]) -> bool:
    """Whether the full stop of a candidate ends the sentence begun at *begun*."""
    at = match.start()
    if text[at] != "." or match["close"]:
        return True
    word_at = max(text.rfind(" ", begun, at), text.rfind("\n", begun, at), begun - 1) + 1
    word = text[word_at:at].lstrip("(„[\"'‚»/")
    if not word:
        return True
    following = match["next"]
    if not following.isdigit() and following != "§":
        named = _WORD.match(text, match.end() + len(match["open"]))
        following = named[0] if named else following
    if word.isdigit():
        return _ends_after_number(word, _word_before(text, begun, word_at), following)
    return _ends_after_word(word, _word_before(text, begun, word_at), following)


def _word_before(text: str, begun: int, word_at: int) -> str:
    end = word_at
    while end > begun and text[end - 1].isspace():
        end -= 1
    return text[max(text.rfind(" ", begun, end), begun - 1) + 1 : end].strip('.,;()„“"')


def _ends_after_number(word: str, before: str, following: str) -> bool:
    if following in _MONTHS or following.isdigit():
        return False
    if len(word) >= _YEAR_DIGITS or following in _STARTERS or following == "§":
        return True
    return before in _BEFORE_NUMBER


def _ends_after_word(word: str, before: str, following: str) -> bool:
    lower = word.lower()
    starts = following in _STARTERS
    if len(word) == 1 and word.isalpha():
        if before in _BEFORE_LETTER or (before.isdigit() and word.islower()):
            return not following.isdigit() and (starts or word.islower())
        return starts and (word.isupper() or word == "f")
    if lower in _MAY_END:
        return starts or following == "§"
    if lower in _ABBREVIATIONS:
        return False
    if _DOTTED.fullmatch(word) or _ROMAN.fullmatch(word):
        return starts or following == "§"
    return True


def _is_enclosed(text: str, begun: int, at: int, end: int) -> bool:
    if text.count("(", begun, at) > text.count(")", begun, at) and text.find(")", at, end) >= 0:
        return True
    opened = text.count("„", begun, at)
    if not opened:
        return False
    closed = sum(text.count(mark, begun, at) for mark in '“”"')
    return opened > closed and any(text.find(mark, at, end) >= 0 for mark in '“”"')
