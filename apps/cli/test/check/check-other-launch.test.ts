import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stateFileOf, writeStates } from "../../src/guard/state-file.ts";
import { askHook } from "../support/claude-code-hook.ts";
import { hostile } from "../support/hostile.ts";
import { httpServer, sendJson } from "../support/http-server.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const [command = "", script = ""] = hostile("terminal-escapes");
const LOCK = "agentprint.lock";

test("a check of another launch than the pinned one leaves the state for the hook of a client as it was", async () => {
  using space = new Workspace();
  const env = { XDG_STATE_HOME: space.path("state"), HOME: space.path("home") };
  const server = await httpServer(({ id }, response) =>
    sendJson(response, JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } })),
  );
  try {
    expect((await space.run(["pin", "--name", "it", "--", command, script], env)).code).toBe(0);
    const context = memoryContext([], { cwd: space.folder, env });
    askHook(space.folder, "mcp__it__read", env);
    const kept = { by: "check", digest: "0", verifiedAt: new Date(0).toISOString(), tools: { read: "pass" } } as const;
    await writeStates(context, LOCK, readFileSync(space.path(LOCK)), { it: kept });
    const file = await stateFileOf(context, LOCK, "it");
    const before = readFileSync(file, "utf8");
    writeFileSync(space.path("mcp.json"), JSON.stringify({ mcpServers: { it: { command, args: [script] } } }));
    for (const other of [
      ["--mcp-config", "mcp.json"],
      ["it", "--url", server.url],
      ["it", "--", command, script],
    ]) {
      expect((await space.run(["check", ...other], env)).code).toBeLessThan(2);
      expect(readFileSync(file, "utf8"), other.join(" ")).toBe(before);
    }
    expect((await space.run(["check"], env)).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toBe(before);
  } finally {
    server.close();
  }
});
