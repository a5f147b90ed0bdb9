// Usage: KEY=… node typescript_sdk.mjs v1|v2-legacy|v2-auto|v2-modern URL PACKAGES < PLAN > OUTCOME
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { visit } from "./visit.mjs";

const [which, url, packages] = process.argv.slice(2);
const require = createRequire(pathToFileURL(packages + "/"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const info = { name: "fundstelle-e2e", version: "1.0.0" };

async function newClient() {
  if (which === "v1") {
    const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await load(
      "@modelcontextprotocol/sdk/client/streamableHttp.js",
    );
    return [new Client(info), StreamableHTTPClientTransport];
  }
  const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
  const mode = { "v2-legacy": "legacy", "v2-auto": "auto", "v2-modern": { pin: "2026-07-28" } }[which];
  return [new Client(info, { versionNegotiation: { mode } }), StreamableHTTPClientTransport];
}

const [client, Transport] = await newClient();
const headers = { Authorization: `Bearer ${process.env.KEY}` };
await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
const outcome = await visit(client, JSON.parse(readFileSync(0, "utf8")));
await client.close();
process.stdout.write(JSON.stringify(outcome));
