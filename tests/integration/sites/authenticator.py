"""A passkey device in software: it makes keys and signs challenges as a browser would pass them."""

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url as encode
from webauthn.helpers import encode_cbor

_PRESENT, _VERIFIED, _ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """One passkey for one site. What it says can be bent, for tests of refusals."""

    origin: str
    host: str
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    counter: int = 0
    is_verified: bool = True
    _key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def create(self, options: str) -> str:
        """The answer to ``navigator.credentials.create``."""
        client_data = self._describe("webauthn.create", options)
        numbers = self._key.public_key().public_numbers()
        public = encode_cbor(
            {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        )
        attested = b"\0" * 16 + len(self.id).to_bytes(2) + self.id + public
        data = self._report(_ATTESTED) + attested
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(clientDataJSON=client_data, attestationObject=attestation)

    def get(self, options: str) -> str:
        """The answer to ``navigator.credentials.get``."""
        client_data = self._describe("webauthn.get", options)
        self.counter += 1
        data = self._report(0)
        signed = data + hashlib.sha256(client_data).digest()
        signature = self._key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client_data, authenticatorData=data, signature=signature)

    def _describe(self, kind: str, options: str) -> bytes:
        challenge = json.loads(options)["challenge"]
        client_data = {"type": kind, "challenge": challenge, "origin": self.origin}
        return json.dumps(client_data).encode()

    def _report(self, flags: int) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.is_verified else 0)
        host = hashlib.sha256(self.host.encode()).digest()
        return host + bytes([flags]) + self.counter.to_bytes(4)

    def _answer(self, **response: bytes) -> str:
        answer: dict[str, Any] = {
            "id": encode(self.id),
            "rawId": encode(self.id),
            "type": "public-key",
            "response": {name: encode(value) for name, value in response.items()},
            "clientExtensionResults": {},
        }
        return json.dumps(answer)
