"""Attacks on a started server: bounded in count, bytes and time, against this machine alone.

``attacker`` speaks bytes to a port of the loopback interface; ``conftest`` starts what is attacked.
"""
