"""What the authorization server keeps: clients, requests, grants, tokens, signing keys."""
