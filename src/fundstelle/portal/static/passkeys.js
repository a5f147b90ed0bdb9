// Passkeys: a form is shown only where the browser can fill it in.
"use strict";

function decode(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function encode(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function readOptions(text) {
  const options = JSON.parse(text);
  options.challenge = decode(options.challenge);
  if (options.user) options.user.id = decode(options.user.id);
  for (const list of [options.excludeCredentials, options.allowCredentials]) {
    for (const one of list || []) one.id = decode(one.id);
  }
  return options;
}

function writeAnswer(credential) {
  const answer = credential.response;
  const response = { clientDataJSON: encode(answer.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (answer[name]) response[name] = encode(answer[name]);
  }
  return JSON.stringify({
    id: credential.id,
    rawId: encode(credential.rawId),
    type: credential.type,
    response,
    clientExtensionResults: credential.getClientExtensionResults(),
  });
}

if (window.PublicKeyCredential && navigator.credentials) {
  for (const note of document.querySelectorAll("[data-without-passkeys]")) note.hidden = true;
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const publicKey = readOptions(form.dataset.options);
      try {
        const credential = await navigator.credentials[form.dataset.passkey]({ publicKey });
        form.elements.answer.value = writeAnswer(credential);
        form.submit();
      } catch {
        announce(form.dataset.failed);
      }
    });
  }
}
