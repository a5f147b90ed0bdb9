// The bridge of the bundle: MCP on standard input and output, answered by a Fundstelle server.
// It does what `fundstelle stdio --url` does (fundstelle.mcp.stdio), for clients that bring Node.js:
// one JSON-RPC message a line, nothing else on standard output, and it ends with its input.
"use strict";

const MOST_LINE = 1048576;
const MOST_ANSWER = 16 * 1048576;
const TIMEOUT_MS = 60000;
const AT_ONCE = 4;
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const NAMED_BY = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];
const HELP = {
  401: "the key is unknown, expired or revoked; make another one on the server's page 'Keys' and enter it in the settings of this extension",
  403: "this key may not do that here",
  404: "there is nothing at this address; it ends in /mcp",
  413: "the message is larger than the server takes",
  421: "the server does not serve this host; use the address that it calls its own",
  429: "too many calls; wait a little and try again",
  503: "the server cannot answer now; try again in a few seconds",
};

const key = (process.env.FUNDSTELLE_KEY || "").trim();
let version = null; // of the handshake

function readUrl(text) {
  let url;
  try {
    url = new URL((text || "").trim());
  } catch {
    return null;
  }
  const known = url.protocol === "https:" || url.protocol === "http:";
  if (!known || url.username || url.password || url.search || url.hash) return null;
  if (url.pathname === "/") url.pathname = "/mcp";
  return url;
}

const url = readUrl(process.env.FUNDSTELLE_URL);

function findProblem() {
  if (!url) return "the address must be that of a server, such as https://recht.example.org/mcp";
  if (url.protocol === "http:" && !LOOPBACK.includes(url.hostname)) {
    return `${url.host} is not this machine, so the key is sent by https alone; use https://`;
  }
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    return "NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so any server would be believed; remove it";
  }
  if (!key) return "there is no key: enter one in the settings of this extension";
  if (!/^[\x21-\x7e]+$/.test(key)) return "what is entered is no key; copy it whole, without blanks";
  return null;
}

function write(lines) {
  if (lines.length) process.stdout.write(lines.join("\n") + "\n");
}

function encodeError(id, code, message, data) {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...(data ? { data } : {}) } });
}

function encodeHeader(text) {
  if (/^[\x21-\x7e]+$/.test(text) && !text.startsWith("=?base64?")) return text;
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

// What is to be sent, or the line that answers at once.
function read(line) {
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    return { answer: encodeError(null, -32700, "the line is not valid UTF-8 JSON") };
  }
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const asked = { line, headers, method: "", id: null, waits: false };
  if (Array.isArray(value)) {
    asked.waits = value.length === 0 || value.some((each) => each && typeof each === "object" && "id" in each);
    asked.method = "batch";
  } else if (value === null || typeof value !== "object") {
    return { answer: encodeError(null, -32600, "a message must be a JSON object") };
  } else if (!("method" in value) && ("result" in value || "error" in value)) {
    asked.method = "response"; // to a request of the server's, which there is none of
  } else {
    const isId = typeof value.id === "string" || Number.isSafeInteger(value.id);
    if (value.jsonrpc !== "2.0" || typeof value.method !== "string" || ("id" in value && !isId)) {
      return { answer: encodeError(isId ? value.id : null, -32600, "the line is no JSON-RPC 2.0 message") };
    }
    asked.method = value.method;
    asked.waits = "id" in value;
    asked.id = asked.waits ? value.id : null;
    const params = value.params || {};
    const meta = params._meta;
    if (meta && typeof meta === "object" && VERSION_KEY in meta) {
      headers["Mcp-Method"] = encodeHeader(value.method);
      if (typeof meta[VERSION_KEY] === "string") headers["MCP-Protocol-Version"] = encodeHeader(meta[VERSION_KEY]);
      const name = params[NAMED_BY[value.method]];
      if (typeof name === "string") headers["Mcp-Name"] = encodeHeader(name);
      return asked;
    }
  }
  if (version && asked.method !== "initialize") headers["MCP-Protocol-Version"] = version;
  return asked;
}

async function readBody(response) {
  const parts = [];
  let size = 0;
  for await (const part of response.body || []) {
    size += part.length;
    if (size > MOST_ANSWER) throw new Error("the answer is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

// The messages of an answer, each one line; null if it is none of the protocol.
function split(type, body) {
  const parts = type.startsWith("text/event-stream")
    ? body.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim())
    : [body];
  try {
    const values = parts.map((part) => JSON.parse(part));
    const isMessage = (value) => {
      const items = Array.isArray(value) ? value : [value];
      return items.length > 0 && items.every((item) => item && item.jsonrpc === "2.0");
    };
    if (!values.length || !values.every(isMessage)) return null;
    return parts.map((part, at) => (/[\r\n]/.test(part) ? JSON.stringify(values[at]) : part));
  } catch {
    return null;
  }
}

function describe(status) {
  if (status >= 300 && status < 400) return "the address leads elsewhere, where no key is sent; use the address that is meant";
  if (HELP[status]) return HELP[status];
  if (status >= 500) return `the server failed (HTTP ${status}); its log says why`;
  return `what is at this address is no MCP server (HTTP ${status}); it ends in /mcp`;
}

async function ask(asked) {
  const refuse = (text, status) => {
    process.stderr.write(`fundstelle: ${text}\n`);
    return asked.waits ? [encodeError(asked.id, -32603, text, status ? { status } : null)] : [];
  };
  const problem = findProblem();
  if (problem) return refuse(problem);
  let status, type, body;
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { ...asked.headers, Authorization: `Bearer ${key}` },
      body: asked.line,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    type = response.headers.get("content-type") || "";
    body = await readBody(response);
  } catch (error) {
    const code = String((error.cause && error.cause.code) || "");
    if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
      return refuse(`the certificate of ${url.host} is not trusted on this machine, so nothing was sent; have it mended, or the authority that issued it installed here`);
    }
    return refuse(`${url.host} does not answer; check the address, and that the server runs`);
  }
  if (status === 202) return [];
  const lines = split(type, body);
  if (lines === null) return refuse(describe(status), status);
  if (asked.method === "initialize" && lines.length === 1) {
    const result = JSON.parse(lines[0]).result;
    if (result && LEGACY.includes(result.protocolVersion)) version = result.protocolVersion;
  }
  return lines;
}

// Lines of the input; what is too long is read past and refused.
async function* readLines() {
  let parts = [];
  let size = 0;
  const take = (part) => {
    size += part.length;
    if (size <= MOST_LINE) parts.push(part);
    else parts = [];
  };
  const end = () => {
    const line = size > MOST_LINE ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of process.stdin) {
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, at));
      yield end();
      start = at + 1;
    }
    take(chunk.subarray(start));
  }
  if (size) yield end();
}

async function main() {
  const underWay = new Set();
  for await (const line of readLines()) {
    if (line === null) {
      write([encodeError(null, -32600, `a message may be ${MOST_LINE} bytes long; send less`)]);
      continue;
    }
    if (!line.toString("latin1").trim()) continue;
    const asked = read(line);
    if (asked.answer) {
      write([asked.answer]);
      continue;
    }
    const work = ask(asked).then(write);
    if (asked.method === "initialize") {
      await work; // what follows depends on it
      continue;
    }
    underWay.add(work);
    work.finally(() => underWay.delete(work));
    if (underWay.size >= AT_ONCE) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

process.stdout.on("error", () => process.exit(0)); // the client reads no more
main();
