"""API keys: a key in, who presents it out.

Begin with ``api_keys``: keys are made, checked, replaced and ended there. ``format`` is what one
looks like, ``records`` what is known of one, ``reach`` what it may
be used for, ``rows`` how it is stored, ``cache`` the live ones in
memory.
"""
