"""The federal legal information system: norms in LegalDocML.de 1.8.2, decisions, its changelog.

Files of expressions come in, acts with the history of their norms go out. Begin at ``documents``;
``text`` reads words, ``outline`` one expression, ``history`` puts several together, ``portal``
and ``changelog`` ask the service.
"""
