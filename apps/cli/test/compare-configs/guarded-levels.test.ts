import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectAndHome } from "../support/project-and-home.ts";

const world = projectAndHome();

/** A server with one tool, whose description and schema come from a file. */
const SERVER = `
const { readFileSync } = require("node:fs");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const tool = JSON.parse(readFileSync("state/tool", "utf8"));
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "mail", version: "1" } },
    "tools/list": { tools: [{ name: "send", ...tool }] },
  };
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "no" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
});`;

const tool = (properties: object): string =>
  JSON.stringify({ description: "Sends", inputSchema: { type: "object", properties, additionalProperties: false } });

test("free text is an error where models read it, and a warning where every entry starts the guard", async () => {
  const { workspace, write } = world;
  const check = async () => {
    const { code, stdout } = await world.run(["check", "--format", "json"]);
    const { findings, assumed, change } = JSON.parse(stdout);
    const { level } = findings.find(({ rule }: { rule: string }) => rule === "mcp/free-text-added");
    return { code, level, assumed, change };
  };
  write("state/tool", {});
  writeFileSync(workspace.path("state/tool"), tool({ to: { enum: ["team"] } }));
  write(".mcp.json", { mcpServers: { mail: { command: "node", args: ["-e", SERVER] } } });
  expect((await world.run(["init", "--yes"])).code).toBe(0);
  write("agentprint.config.json", { preset: "compatible" });
  expect((await world.run(["approve", "--policy", "--yes"])).code).toBe(0);
  writeFileSync(workspace.path("state/tool"), tool({ to: { enum: ["team"] }, context: { type: "string" } }));
  expect(await check()).toEqual({
    code: 1,
    level: "error",
    assumed: { guarded: [], notGuarded: ["mail"] },
    change: ["Levels assume that clients start mail without a guard, so models read the changed texts"],
  });
  expect((await world.run(["wrap", "--mcp-config", ".mcp.json"])).code).toBe(0);
  expect(await check()).toEqual({
    code: 0,
    level: "warning",
    assumed: { guarded: ["mail"], notGuarded: [] },
    change: [
      "Levels assume that clients start mail behind the guard, which keeps texts and schemas as they were locked",
    ],
  });
});
