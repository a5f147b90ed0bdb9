"""What is asked of a tool, read and checked.

``arguments`` reads one by the table of its parameters, ``parameters`` are those that several tools
share; ``references`` finds the laws and norms in words, ``scope`` turns filters into what the
index compares, ``eu_acts`` knows acts by name, ``elsewhere`` what no law that is held answers.
"""
