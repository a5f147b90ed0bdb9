// What a page can do better with a script; every page works without it.
"use strict";

function announce(text) {
  let place = document.getElementById("status");
  if (!place) {
    place = document.createElement("p");
    place.id = "status";
    place.className = "status";
    place.setAttribute("role", "status");
    document.body.append(place);
  }
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = text; });
}

// On a phone the navigation is one line that scrolls: the page that is open is seen there.
const current = document.querySelector("header.site nav.own a[aria-current]");
if (current) {
  const line = current.closest("ul");
  line.scrollLeft = current.offsetLeft - line.offsetLeft - (line.clientWidth - current.offsetWidth) / 2;
}

// Copy buttons appear only where copying can work.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    const text = "value" in source ? source.value : source.textContent;
    try {
      await navigator.clipboard.writeText(text);
      announce(button.dataset.done);
      button.classList.add("done");
    } catch {
      source.focus();
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
    }
  });
}

// A form with errors says so where the reader is.
const errors = document.getElementById("errors");
if (errors) errors.focus();

// The connection test asks this server, with the key just shown, for its tools.
for (const button of document.querySelectorAll("button[data-test-key]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const key = document.getElementById(button.dataset.testKey).value;
    const place = document.getElementById(button.dataset.result);
    place.textContent = button.dataset.waiting;
    try {
      const answer = await fetch("/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", Authorization: `Bearer ${key}` },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      const body = await answer.json();
      place.textContent = answer.ok
        ? button.dataset.good.replace("{count}", body.result.tools.length)
        : button.dataset.bad.replace("{status}", answer.status);
    } catch {
      place.textContent = button.dataset.bad.replace("{status}", "–");
    }
  });
}

// A unit of a text that is pointed at can be cited: its words and its address, by a bar below.
const text = document.querySelector("[data-copy-citation]");
if (text) {
  let bar = null;

  const offer = (label, value) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = label;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(value);
      announce(text.dataset.done);
    });
    return button;
  };

  const show = (anchor) => {
    const link = [...text.querySelectorAll("a[data-cite]")].find((one) => one.hash === `#${anchor}`);
    if (bar) bar.remove();
    bar = null;
    for (const one of text.querySelectorAll(".s")) one.classList.toggle("meant", one.id.startsWith(`${anchor}-`) && link?.parentElement.className === "at");
    if (!link || !navigator.clipboard) return;
    bar = document.createElement("div");
    bar.className = "citebar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", link.dataset.cite);
    const address = new URL(link.href); // of the text, whichever part of it is shown
    address.searchParams.delete("part");
    const name = document.createElement("strong");
    name.textContent = link.dataset.cite;
    bar.append(name, offer(text.dataset.copyCitation, link.dataset.cite), offer(text.dataset.copyLink, address.href));
    document.body.append(bar);
  };

  // What is not there leads to what is around it; what stands in another part leads on to it.
  const follow = () => {
    let wanted = "";
    try {
      wanted = decodeURIComponent(location.hash.slice(1));
    } catch {
      return; // no address of ours
    }
    const steps = wanted.split("-");
    let place = null;
    for (; steps.length > 1 && !place; steps.splice(-2)) {
      place = document.getElementById(steps.join("-")); // never that of another sentence
    }
    if (!place) return;
    if ("part" in place.dataset) {
      location.replace(place.parentElement.querySelector("a").href + location.hash);
      return;
    }
    // A further name of a unit, or of one around it: its own is what is shown and copied.
    const own = place.dataset.unit || place.id;
    if (own !== wanted) location.replace(`#${encodeURIComponent(own)}`);
    else show(own);
  };

  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && bar) {
      bar.remove();
      bar = null;
    }
  });
  if (location.hash) follow();
}

// A page that waits for a program's first call asks until it came, for ten minutes at most.
for (const place of document.querySelectorAll("[data-arrival]")) {
  for (const link of document.querySelectorAll("[data-without-script]")) link.hidden = true;
  let left = 200;
  const look = async () => {
    left -= 1;
    try {
      const answer = await fetch(place.dataset.arrival);
      const arrival = await answer.json();
      if (answer.ok && place.textContent !== arrival.text) place.textContent = arrival.text;
      if (answer.ok && arrival.came) {
        place.classList.add("came");
        return;
      }
    } catch {
      // away for a moment, or signed out: asked again, as long as anybody waits
    }
    if (left > 0) setTimeout(look, 3000);
  };
  setTimeout(look, 3000);
}
