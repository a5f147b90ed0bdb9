"""What is counted against guessing, and what too many failures cost.

No limit is of an account alone where a stranger could use it up for its owner, and none is of all
senders together where few of them could use it up for the rest. A code is the exception: of its
million values none may be tried from everywhere, and who gets to try it knows the password.
"""

from fundstelle.accounts.limits.limiter import Limit

_HOUR_S = 3_600
_DAY_S = 86_400

# A password, by account and network; by network and site over all accounts.
PAIR = Limit("sign-in:pair", 5, _DAY_S, delay_s=15, most_s=900)
NETWORK = Limit("sign-in:network", 30, _HOUR_S)
SITE = Limit("sign-in:site", 150, _HOUR_S)
# Failures of an account from everywhere: from then on a network has one free attempt, not five.
ACCOUNT = Limit("sign-in:account", 50, _DAY_S, only_counts=True)
PAIR_WATCHED = Limit(PAIR.name, 1, PAIR.period_s, PAIR.delay_s, PAIR.most_s)
# The same from a browser in which this person has signed in before, and from an open session.
DEVICE = Limit("sign-in:device", 5, _DAY_S, delay_s=15, most_s=900)
SESSION = Limit("sign-in:session", 5, _DAY_S, delay_s=15, most_s=900)
# A code, after the password: by account, or by known device, or by session.
CODE = Limit("sign-in:code", 5, _DAY_S, delay_s=15, most_s=900)
DEVICE_CODE = Limit("sign-in:device-code", 5, _DAY_S, delay_s=15, most_s=900)
SESSION_CODE = Limit("sign-in:session-code", 5, _DAY_S, delay_s=15, most_s=900)
# Passkeys and answers of the identity provider cannot be guessed; failures fill the log.
PROOF = Limit("sign-in:proof", 10, _HOUR_S)
SIGN_UP_NETWORK = Limit("sign-up:network", 10, _HOUR_S)
SIGN_UP_SITE = Limit("sign-up:site", 30, _HOUR_S)
