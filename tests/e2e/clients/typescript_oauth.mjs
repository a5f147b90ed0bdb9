// Usage: node typescript_oauth.mjs v1|v2 URL REDIRECT PACKAGES
// Prints a line {link} for the browser, reads the answer's query from a line, then prints {tools,
// again, before, after}: the tools, those of a call after the access token has gone bad, and the
// tokens of both moments.
import { createRequire } from "node:module";
import { createInterface } from "node:readline/promises";
import { pathToFileURL } from "node:url";

const [which, url, redirect, packages] = process.argv.slice(2);
const require = createRequire(pathToFileURL(packages + "/"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const sdk = which === "v1"
  ? {
    ...(await load("@modelcontextprotocol/sdk/client/index.js")),
    ...(await load("@modelcontextprotocol/sdk/client/streamableHttp.js")),
    ...(await load("@modelcontextprotocol/sdk/client/auth.js")),
  }
  : await load("@modelcontextprotocol/client");

const say = (value) => console.log(JSON.stringify(value));
const kept = {};
const provider = {
  redirectUrl: redirect,
  clientMetadata: {
    client_name: `TypeScript ${which}`,
    redirect_uris: [redirect],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  discoveryState: () => kept.discovery,
  saveDiscoveryState: (state) => { kept.discovery = state; },
  redirectToAuthorization: (link) => say({ link: link.href }),
};
const open = () => new sdk.StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
const newClient = () => new sdk.Client({ name: "fundstelle-e2e", version: "1.0.0" });
const names = async (client) => (await client.listTools()).tools.map(({ name }) => name);

const first = open();
try {
  await newClient().connect(first);
  throw new Error("connected without signing in");
} catch (error) {
  if (!(error instanceof sdk.UnauthorizedError)) throw error;
}
const lines = createInterface({ input: process.stdin });
const answer = new URLSearchParams((await lines[Symbol.asyncIterator]().next()).value);
lines.close();
await first.finishAuth(which === "v1" ? answer.get("code") : answer);

const client = newClient();
await client.connect(open());
const tools = await names(client);
const before = { ...kept.tokens };
kept.tokens = { ...kept.tokens, access_token: before.access_token.slice(0, -4) + "AAAA" };
const again = await names(client);
await client.close();
say({ tools, again, before, after: kept.tokens, client: kept.client.client_id });
