"""SCIM 2.0 (RFC 7643, RFC 7644): the firm's directory makes, changes and ends accounts.

``messages`` is what is said in JSON, ``schemas`` what users and groups have, ``people`` what is
done, ``routes`` who may ask. A user is a person, ``userName`` their address; the two groups are the
roles.
"""
