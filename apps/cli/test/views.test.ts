import { writeFileSync } from "node:fs";
import { createLock, formatLock, isVersion1, type LockedServer } from "@agentprint/mcp-lock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "./support/hostile.ts";
import { Workspace } from "./support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const cloaked = ["--", ...hostile("shows-each-name-another-list")];

function entry(): LockedServer {
  const [server] = workspace.lock().servers;
  if (server === undefined || isVersion1(server)) throw new Error("no entry of version 2");
  return server;
}

const descriptions = (): unknown[] => entry().tools.map(({ definition }) => definition["description"]);

describe("a server that shows each client name another list", () => {
  test("is pinned as a common client and a bare one see it, and told", async () => {
    const pin = await workspace.runAsGiven(["pin", "--name", "it", ...cloaked]);
    expect(pin.code).toBe(0);
    expect(pin.stderr).toContain("differs between clients: prose changed");
    expect(entry().client).toBe("claude-code");
    expect(descriptions()).toHaveLength(2);
    expect(descriptions()).toContain("for claude-code");
    expect(descriptions().join()).not.toContain("agentprint");
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
    const all = await workspace.run(["check", "--views", "all", "--format", "json"]);
    expect(all.code).toBe(0);
    expect(JSON.parse(all.stdout).servers[0].remarks).toMatchObject([{ type: "client-divergence" }]);
  });

  test("is seen when it changes what it shows the client", async () => {
    await workspace.runAsGiven(["pin", "--name", "it", "--env", "CLOAK", ...cloaked], { CLOAK: "" });
    const check = await workspace.run(["check"], { CLOAK: ", obey" });
    expect(check.code).toBe(1);
    expect(check.stdout).toContain("obey");
  });

  test("is visited as the client that --as names, and the lock says which", async () => {
    await workspace.runAsGiven(["pin", "--name", "it", "--as", "cursor", "--views", "client", ...cloaked]);
    expect([entry().client, descriptions()]).toEqual(["cursor", ["for cursor-vscode"]]);
    await workspace.runAsGiven(["pin", "--replace", "--name", "it", "--as", "bare", ...cloaked]);
    expect([entry().client, descriptions()]).toEqual(["bare", ["for agentprint"]]);
    const other = await workspace.run(["check", "--as", "vscode", "--format", "json"]);
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout).servers[0].drifts[0]).toMatchObject({ type: "part-changed", part: "client" });
  });
});

describe("a lock of version 1", () => {
  const [command = "", ...args] = hostile("terminal-escapes");
  const text = (description: string): string => {
    const tool = (name: string) => ({
      name,
      description,
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    });
    return formatLock(
      createLock({
        it: {
          launch: { type: "stdio", command, args, env: ["HOSTILE_TEXT"] },
          clientCapabilities: {},
          protocolVersion: "2025-11-25",
          serverInfo: { name: "hostile", version: "1.0.0" },
          capabilities: { tools: {} },
          tools: [tool(`read${description}`), tool("read")],
          prompts: [],
          resources: [],
          resourceTemplates: [],
        },
      }),
    );
  };
  const env = { HOSTILE_TEXT: "before" };

  beforeEach(() => writeFileSync(workspace.path("agentprint.lock"), text("before")));

  test("is checked as it was pinned, with a note that names the renewal", async () => {
    expect(workspace.lock().lockVersion).toBe(1);
    const same = await workspace.run(["check"], env);
    expect(same).toMatchObject({ code: 0, stderr: "" });
    expect(same.stdout).toContain("agentprint pin --renew it");
    expect((await workspace.run(["check"], { HOSTILE_TEXT: "after" })).code).toBe(1);
    expect((await workspace.run(["check"])).code).toBe(2);
  });

  test("is renewed with what this version sees, which is shown before it is written", async () => {
    const renewal = await workspace.runAsGiven(["pin", "--renew", "it"], env);
    expect(renewal.code).toBe(0);
    expect(renewal.stdout).toContain("client that the visit speaks as changed");
    expect(workspace.lock().lockVersion).toBe(2);
    expect(entry().sessions.map(({ session }) => session)).toEqual(["legacy/bare", "legacy/client"]);
    expect(await workspace.run(["check"], env)).toMatchObject({ code: 0, stderr: "" });
    expect(await workspace.runAsGiven(["pin", "--renew", "it"], env)).toMatchObject({ code: 0, stdout: "" });
  });

  test("is not renewed where the server is not as it was pinned, or is not there", async () => {
    const before = workspace.lockText();
    expect((await workspace.runAsGiven(["pin", "--renew", "it"], { HOSTILE_TEXT: "after" })).code).toBe(1);
    expect((await workspace.runAsGiven(["pin", "--renew", "it"])).code).toBe(2);
    expect((await workspace.runAsGiven(["pin", "--renew", "other"], env)).code).toBe(2);
    expect(workspace.lockText()).toBe(before);
  });

  test("is not replaced by a pin, which names the renewal", async () => {
    const before = workspace.lockText();
    const pin = await workspace.runAsGiven(
      ["pin", "--name", "it", "--env", "HOSTILE_TEXT", "--", command, ...args],
      env,
    );
    expect(pin.code).toBe(1);
    expect(pin.stderr).toContain("agentprint pin --renew it");
    expect(workspace.lockText()).toBe(before);
  });

  test("keeps its version when a change is approved", async () => {
    expect((await workspace.run(["approve", "it", "--yes"], { HOSTILE_TEXT: "after" })).code).toBe(0);
    expect(workspace.lock().lockVersion).toBe(1);
    expect((await workspace.run(["check"], { HOSTILE_TEXT: "after" })).code).toBe(0);
  });
});
