import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LockedServer } from "@agentprint/mcp-lock";
import { createSigner, createStatement, signStatement } from "@agentprint/statement";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { Workspace } from "../support/workspace.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const author = createSigner(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
const FIRST = { version: "1.2.0", city: z.string(), description: "Weather of a city" };
type Release = typeof FIRST;
let project: Workspace;
beforeEach(() => {
  project = new Workspace();
});
afterEach(() => project[Symbol.dispose]());

/** Starts a server on the official SDK on this machine, with its author's statement where consumers look for it. */
async function hosted(legacy: "stateless" | "reject") {
  const served: { release: Release; statement: string } = { release: FIRST, statement: "" };
  const make = () => {
    const { version, city, description } = served.release;
    const server = new McpServer({ name: "weather", version }, { instructions: "Ask for the weather." });
    server.registerTool("weather", { description, inputSchema: z.object({ city }) }, () => ({ content: [] }));
    server.registerPrompt("greet", { description: "Greets" }, () => ({ messages: [] }));
    return server;
  };
  const handle = toNodeHandler(createMcpHandler(make, { legacy }));
  const server = createServer((request, response) => {
    if (request.method === "POST") return void handle(request as Parameters<typeof handle>[0], response);
    response.writeHead(request.url === "/.well-known/agentprint.statement.json" ? 200 : 404).end(served.statement);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const pin = async (lock: string): Promise<LockedServer> => {
    const run = await project.run(["pin", "--lock", lock, "--name", "weather", "--url", url]);
    if (run.code !== 0) throw new Error(run.stderr);
    return JSON.parse(readFileSync(project.path(lock), "utf8")).servers[0];
  };
  const before = await pin("agentprint.lock");
  return {
    /** Serves a release with its author's statement, which is based on the author's own lock of it. */
    async release(release: Release): Promise<void> {
      served.release = release;
      const entry = await pin("author.lock");
      const issued = new Date();
      const expires = new Date(issued.getTime() + 86_400_000);
      const previous = { entry: before, version: "1.2.0" };
      const stated = createStatement({ entry, version: release.version, issued, expires, before: previous });
      served.statement = signStatement(stated, author);
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const configure = (rule: object) => {
  const statements = { weather: { keys: [author.publicKey], required: true, ...rule } };
  writeFileSync(project.path("agentprint.config.json"), JSON.stringify({ statements }));
};

test.each(["stateless", "reject"] as const)("a proven patch of a server over HTTP passes (%s)", async (legacy) => {
  using server = await hosted(legacy);
  await server.release({ ...FIRST, version: "1.2.1", city: z.string().min(0) });
  configure({});
  expect(await project.run(["check"])).toMatchObject({ code: 1 });
  configure({ accept: "patch" });
  expect(await project.run(["check"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("a model reads nothing new"),
  });
});

test.each([
  [
    "words",
    { description: "Weather of a city, for the assistant" },
    "does not let this change pass: a model would read something new",
  ],
  ["calls", { city: z.string().min(1) }, "it is not proven that calls stay the same"],
  ["a version in words", { version: "1.2.1-obey" }, "does not let this change pass: a model would read something new"],
])("a check says why %s do not pass by a statement", async (_, change, reason) => {
  using server = await hosted("stateless");
  configure({ accept: "patch" });
  await server.release({ ...FIRST, version: "1.2.1", ...change });
  expect(await project.run(["check"])).toMatchObject({ code: 1, stdout: expect.stringContaining(reason) });
});
