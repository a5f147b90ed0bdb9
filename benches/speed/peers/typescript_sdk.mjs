// The official TypeScript SDK, v2, as its documentation serves it: createMcpHandler on node:http,
// a fresh server a request, stateless, JSON answers. Tools are listed as ours are; a call is
// answered from a table of our answers, so that what is measured is the SDK and nothing else.
// Usage: node typescript_sdk.mjs EXHIBIT PORT PACKAGES McpServer|Server
//   McpServer  the documented interface: tools are registered with zod schemas (here made from
//              ours), which it lists as JSON Schema and checks arguments and answers against
//   Server     the low-level one below it, without any of that
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [exhibitPath, port, packages, level] = process.argv.slice(2);
const require = createRequire(pathToFileURL(packages + "/"));
const { createMcpHandler, McpServer, Server, WebStandardStreamableHTTPServerTransport } =
  require("@modelcontextprotocol/server");
const { fromJSONSchema } = require("zod");
const { toNodeHandler } = require("@modelcontextprotocol/node");

const exhibit = JSON.parse(readFileSync(exhibitPath, "utf8"));
// The SDK fills in defaults before it calls us, so the table goes by the question alone.
const question = (args) => args.citation ?? args.query;
const answers = new Map(
  exhibit.calls.map(({ tool, arguments: args, result }) => [tool + question(args), result]),
);
const answer = (tool, args) => {
  const found = answers.get(tool + question(args));
  if (found === undefined) throw new Error("not in the table");
  return found;
};
const info = { name: "typescript-sdk", version: "2.4.0" };
const options = { capabilities: { tools: {} }, instructions: exhibit.instructions };

// Schemas are made once, outside the request.
const registered = exhibit.tools.map(({ name, inputSchema, outputSchema, ...rest }) => ({
  name,
  config: { ...rest, inputSchema: fromJSONSchema(inputSchema), outputSchema: fromJSONSchema(outputSchema) },
}));

const factories = {
  McpServer() {
    const server = new McpServer(info, options);
    for (const { name, config } of registered) {
      server.registerTool(name, config, (args) => answer(name, args));
    }
    return server;
  },
  Server() {
    const server = new Server(info, options);
    server.setRequestHandler("tools/list", () => ({ tools: exhibit.tools }));
    server.setRequestHandler("tools/call", ({ params }) => answer(params.name, params.arguments));
    return server;
  },
};
const factory = factories[level];

const modern = createMcpHandler(factory, { responseMode: "json", legacy: "reject" });

// The entry answers older clients with event streams; JSON for them is wired by hand, as the
// SDK's guide shows.
async function serveLegacy(request) {
  const server = factory();
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  return transport.handleRequest(request);
}

const isModern = (request) => request.headers.get("mcp-protocol-version") >= "2026";
const fetch = (request) => (isModern(request) ? modern.fetch(request) : serveLegacy(request));

createServer(toNodeHandler({ fetch })).listen(Number(port), "127.0.0.1");
