// Usage: node typescript_stdio.mjs v1|v2-legacy|v2-auto|v2-modern PACKAGES COMMAND… < PLAN > OUTCOME
// The command gets the environment variables whose names begin with FUNDSTELLE_ or PYTHON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { visit } from "./visit.mjs";

const [which, packages, command, ...args] = process.argv.slice(2);
const require = createRequire(pathToFileURL(packages + "/"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const info = { name: "fundstelle-e2e", version: "1.0.0" };
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(PATH|HOME|FUNDSTELLE_.*|PYTHON.*)$/.test(name)),
);

async function newClient() {
  if (which === "v1") {
    const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
    return [new Client(info), StdioClientTransport];
  }
  const { Client } = await load("@modelcontextprotocol/client");
  const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
  const mode = { "v2-legacy": "legacy", "v2-auto": "auto", "v2-modern": { pin: "2026-07-28" } }[which];
  return [new Client(info, { versionNegotiation: { mode } }), StdioClientTransport];
}

const [client, Transport] = await newClient();
await client.connect(new Transport({ command, args, env }));
const outcome = await visit(client, JSON.parse(readFileSync(0, "utf8")));
await client.close();
process.stdout.write(JSON.stringify(outcome));
