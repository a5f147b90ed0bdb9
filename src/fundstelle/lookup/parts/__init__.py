"""The parts of one provision: Absatz, Satz, Nummer and what is below.

``following`` goes from the path of a citation to the parts that are meant, ``units`` says how a
part is written and which are around it, ``printed`` reads the labels that answers print.
"""
