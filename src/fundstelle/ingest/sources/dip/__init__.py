"""The Bundestag's record of what became of bills: "DIP" (dip.bundestag.de, with a key).

It gives no texts, but since when promulgated acts are in force; off until a key is set.
"""
