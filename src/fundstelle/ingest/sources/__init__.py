"""The publishers: what each of them sends, and how it is read without trusting it.

``gii`` is federal law, ``eu`` the law and case law of the Union, ``courts`` the courts; words of
decisions are read in ``decision_text``, files and downloads in ``files``.
"""
