"""The vocabulary: identifiers, norms, decisions and citations as frozen types.

Standard library only.
"""
