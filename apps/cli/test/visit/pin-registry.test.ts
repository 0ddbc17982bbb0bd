import { type Listening, listening } from "@agentprint/testing/oauth/listen";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunResult } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const NAME = "io.github.example/files";

let space: Workspace;
let registry: Listening;
let asked: string[];
let answer: { status: number; body: string };
const serve = (server: object, status = 200): void => {
  answer = { status, body: JSON.stringify({ server: { name: NAME, ...server }, _meta: {} }) };
};
const pin = (...args: string[]): Promise<RunResult> =>
  space.run(["pin", "--registry", ...args], { AGENTPRINT_MCP_REGISTRY: `${registry.origin}/` });

beforeEach(async () => {
  space = new Workspace();
  asked = [];
  registry = await listening();
  registry.handle = (request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  };
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  space[Symbol.dispose]();
});

test("an address of the registry is visited, by its version or the latest one", async () => {
  serve({ remotes: [{ type: "streamable-http", url: "https://127.0.0.1:1/mcp" }] });
  for (const name of [NAME, `${NAME}@1.2.3`]) {
    const { code, stderr } = await pin(name);
    expect([code, stderr]).toEqual([2, expect.stringContaining("127.0.0.1:1")]);
    expect(stderr).toContain(`${name} is streamable-http https://127.0.0.1:1/mcp`);
  }
  const path = "/v0.1/servers/io.github.example%2Ffiles/versions";
  expect(asked).toEqual([`${path}/latest`, `${path}/1.2.3`]);
});

test("a part that needs a person is left out and reported", async () => {
  const transport = { type: "stdio" };
  const packages = [
    { registryType: "mcpb", identifier: "https://a.example/x\u001b[31m.mcpb", transport },
    { registryType: "npm", identifier: "files", version: "latest", transport },
  ];
  serve({ packages });
  const { code, stderr } = await pin(NAME);
  expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be pinned by its name alone")]);
  expect(stderr).toContain("npm files latest: it names no exact version");
  expect(stderr).not.toContain("\u001b");
});

test.each<[string, () => void, string]>([
  ["no JSON", () => (answer = { status: 200, body: "{" }), "the registry could not be read"],
  ["no object", () => (answer = { status: 200, body: "null" }), "has no server.json"],
  ["another server", () => serve({ name: "io.github.example/other" }), "has no server.json"],
  ["an error", () => serve({}, 404), "HTTP 404"],
  ["a redirect", () => serve({}, 302), "redirects are not followed"],
  ["no end", () => (answer = { status: 200, body: " ".repeat(2 ** 20 + 1) }), "is longer than"],
])("a registry that answers with %s is exit code 2", async (_, set, message) => {
  set();
  const { code, stderr } = await pin(NAME);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test.each<[string[], string]>([
  [["files"], "is not a name in the registry"],
  [["../a/b"], "is not a name in the registry"],
  [[NAME, "--url", "https://a.example"], "more than one way"],
])("pin --registry %j is refused", async (args, message) => {
  const { code, stderr } = await pin(...args);
  expect([code, stderr, asked]).toEqual([2, expect.stringContaining(message), []]);
});

test("a malformed address of the registry is exit code 2", async () => {
  const { code, stderr } = await space.run(["pin", "--registry", NAME], { AGENTPRINT_MCP_REGISTRY: "none" });
  expect([code, stderr]).toEqual([2, expect.stringContaining("the address of the registry is not valid")]);
});
