import { writeFileSync } from "node:fs";
import type { LockedServer } from "@agentprint/mcp-lock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const cloaked = ["--", ...hostile("shows-each-name-another-list")];

function entry(): LockedServer {
  const [server] = workspace.lock().servers;
  if (server === undefined) throw new Error("nothing was pinned");
  return server;
}

const descriptions = (): unknown[] => entry().tools.map(({ definition }) => definition["description"]);

describe("a server that shows each client name another list", () => {
  test("is pinned as a common client and a bare one see it, and reported", async () => {
    const pin = await workspace.runInOwnViews(["pin", "--name", "it", ...cloaked]);
    expect(pin.code).toBe(0);
    expect(pin.stderr).toContain("differs between clients: prose changed");
    expect(entry().client).toBe("claude-code");
    expect(descriptions()).toHaveLength(2);
    expect(descriptions()).toContain("for claude-code");
    expect(descriptions().join()).not.toContain("agentprint");
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
    const all = await workspace.run(["check", "--format", "json"], {}, { views: "all" });
    expect(all.code).toBe(0);
    expect(JSON.parse(all.stdout).servers[0].remarks).toMatchObject([{ type: "client-divergence" }]);
  });

  test("is detected when it changes its list for the client", async () => {
    await workspace.runInOwnViews(["pin", "--name", "it", "--env", "CLOAK", ...cloaked], { CLOAK: "" });
    const check = await workspace.run(["check"], { CLOAK: ", obey" });
    expect(check.code).toBe(1);
    expect(check.stdout).toContain("obey");
  });

  test("is visited as the client that --as names, and the lock records it", async () => {
    await workspace.run(["pin", "--name", "it", "--as", "cursor", ...cloaked]);
    expect([entry().client, descriptions()]).toEqual(["cursor", ["for cursor-vscode"]]);
    await workspace.runInOwnViews(["pin", "--replace", "--name", "it", "--as", "bare", ...cloaked]);
    expect([entry().client, descriptions()]).toEqual(["bare", ["for agentprint"]]);
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  });
});

test("a lock of version 1 is refused, and the error asks to pin again", async () => {
  writeFileSync(workspace.path("agentprint.lock"), '{"lockVersion":1,"servers":[]}');
  const { code, stderr } = await workspace.run(["check"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Expected lock version 2, found 1");
  expect(stderr).toContain("remove the lock and pin again with agentprint pin");
});
