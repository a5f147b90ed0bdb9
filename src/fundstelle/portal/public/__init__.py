"""Pages anybody may read: the law, decisions, and the ways to them.

Addresses are permanent: ``/n/de/bgb/823``, ``/d/ECLI:DE:BGH:2020:…``; Absätze and Randnummern are
anchors in them. An admin may keep them for people who are signed in. Begin with ``routes``.
``finding`` leads from what somebody writes to a text or to hits, ``laws`` lists the laws, ``law``
shows the contents of one, ``norm`` a provision, ``decision`` a decision, ``citing`` what cites
either. ``opening`` lends them the corpus and says what is not there; the rest are parts of pages.
"""
