"""People: accounts, passwords, second factors, passkeys, sessions, the firm's own provider."""
