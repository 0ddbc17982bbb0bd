import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { Guarded, INITIALIZE } from "../guard/guarded.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

/** Returns a server that logs to stdout before each answer, and echoes ids through the expression `idOf`. */
const logging = (idOf: string): string => `
import { createInterface } from "node:readline";
const LOG = ["Server starting ...", "\\u001b[32mINFO\\u001b[39m ready", '{"level":"info","id":1,"result":{}}'];
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "logs", version: "1" } },
  "tools/list": { tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "done" }] },
};
for (const line of LOG) console.log(line);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  console.log("id: " + id);
  console.log(JSON.stringify({ jsonrpc: "2.0", id: ${idOf}(id), ...answer }));
});
`;

test.each([
  ["logs to stdout", "Number"],
  ["logs to stdout, and echoes ids as text", "String"],
])("a server that %s is pinned, checked and guarded as the official client uses it", async (_what, idOf) => {
  using space = new Workspace();
  writeFileSync(space.path("server.mjs"), logging(idOf));
  const pinned = await space.run(["pin", "--name", "logs", "--", process.execPath, "server.mjs"]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  expect(pinned.stderr).toMatch(/logs wrote \d+ lines of its log to stdout .*; the first: Server starting \.\.\./);
  for (let round = 0; round < 2; round++) expect((await space.run(["check"])).code).toBe(0);

  const [command, ...args] = AGENTPRINT;
  const env = { ...(process.env as Record<string, string>), ...STATE };
  const start = { command, args: [...args, "guard", "logs"], cwd: space.folder, env, stderr: "pipe" as const };
  const client = new Client({ name: "test", version: "1" });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(new StdioClientTransport(start));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["read"]);
  expect(await client.callTool({ name: "read" })).toMatchObject({ content: [{ text: "done" }] });
  await client.close();
  expect(errors).toEqual([]);
});

test("a line of log with the id of an open request does not settle it", async () => {
  using space = new Workspace();
  writeFileSync(space.path("server.mjs"), logging("Number"));
  await space.run(["pin", "--name", "logs", "--", process.execPath, "server.mjs"]);
  await using guarded = await Guarded.start(space, "logs");
  guarded.send({ ...INITIALIZE, id: 1 });
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 1, result: { serverInfo: { name: "logs" } } });
  expect(guarded.unread).toEqual([]);
});

test("an id is echoed with exactly the text of the integer, or the answer is unreadable", async () => {
  using space = new Workspace();
  writeFileSync(space.path("server.mjs"), logging("'0' + "));
  const pinned = await space.run(["pin", "--name", "logs", "--", process.execPath, "server.mjs"]);
  expect(pinned).toMatchObject({ code: 2, stderr: expect.stringContaining("server-garbage") });
});
