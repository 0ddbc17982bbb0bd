import { existsSync, rmSync, writeFileSync } from "node:fs";
import type { VisitAnswers } from "@agentprint/mcp";
import { type LockedServer, lockServer, withoutServer, withPolicy, withServer } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { after, before, ChangeWorkspace, pinBoth, pinIt, SERVER } from "../support/change-workspace.ts";
import { Workspace } from "../support/workspace.ts";

const IGNORE = { rule: "mcp/item-removed", until: "2999-12-31", reason: "agreed" };

let locks: Awaited<ReturnType<typeof pinBoth>>;
beforeAll(async () => {
  locks = await pinBoth();
});

let workspace: ChangeWorkspace;
beforeEach(() => {
  workspace = new ChangeWorkspace();
  workspace.writeLock(locks.was);
});
afterEach(() => workspace[Symbol.dispose]());

interface FoundFinding {
  readonly rule: string;
  readonly level: string;
  readonly message: string;
  readonly note?: string;
  readonly isRemark?: true;
  readonly place: { readonly subject: string; readonly pointer?: string };
}
const findings = async (args: readonly string[] = [], env = before): Promise<FoundFinding[]> =>
  JSON.parse((await workspace.check(["--format", "json", ...args], env)).stdout).findings;

/** Returns a visit whose launch leaves a file behind when it is started. */
function leavingTraces(trace: string): VisitAnswers {
  const script = `require("node:fs").writeFileSync(${JSON.stringify(trace)}, "")`;
  return answersOf([], { launch: { type: "stdio", command: process.execPath, args: ["-e", script], env: [] } });
}

describe("check --base, the policy", () => {
  test.each<[string, () => void, () => void]>([
    [
      "in the lock of the base, changed together with the lock",
      () => {
        workspace.configure({});
        workspace.writeLock(withPolicy(locks.was, {}));
      },
      () => workspace.writeLock(withPolicy(locks.was, { preset: "breaking" })),
    ],
    ["of the configuration of the base, whose lock holds none", () => workspace.configure({}), () => {}],
    [
      "of the configuration of the base, although the lock now holds the weaker one",
      () => workspace.configure({}),
      () => workspace.writeLock(withPolicy(locks.was, { preset: "breaking" })),
    ],
    ["strict, where the base has a lock and no configuration", () => {}, () => {}],
  ])("is %s", async (_name, makeBase, change) => {
    makeBase();
    workspace.commitBase();
    change();
    workspace.configure({ preset: "breaking" });
    workspace.repository.commit();
    const { code, stdout } = await workspace.check();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^agentprint\.config\.json.*\n {2}error {2}the policy is weaker: /);
    expect(stdout).not.toContain("approve --policy");
    // A policy accepted in the same change applies only to the next change.
    expect((await workspace.run(["approve", "--policy", "--yes"])).code).toBe(0);
    workspace.repository.commit();
    expect((await workspace.run(["check"], before)).code).toBe(0);
    expect((await workspace.check()).code).toBe(1);
  });

  test("judges the findings, where the change weakens it together with the lock", async () => {
    workspace.configure({ preset: "compatible" });
    workspace.writeLock(withPolicy(locks.was, { preset: "compatible" }));
    workspace.commitBase();
    const lenient = { preset: "compatible", ignores: [IGNORE] };
    workspace.configure(lenient);
    workspace.writeLock(withPolicy(locks.was, lenient));
    workspace.repository.commit();
    const found = await findings([], after);
    expect(found[0]).toMatchObject({ rule: "policy/weakened", place: { pointer: "/ignores/0" } });
    expect(found).toContainEqual(expect.objectContaining({ rule: "mcp/item-removed", level: "error" }));
    expect((await workspace.check([], after)).code).toBe(1);
  });

  test("is compared with the lock's policy, too, which would apply to the next change", async () => {
    workspace.writeLock(withPolicy(locks.was, {}));
    workspace.commitBase();
    workspace.writeLock(withPolicy(locks.was, { preset: "breaking" }));
    expect((await findings())[0]).toMatchObject({ rule: "policy/weakened", place: { subject: "agentprint.lock" } });
    workspace.writeLock(locks.was);
    expect(await workspace.check()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("the policy is weaker: the lock no longer holds the accepted one"),
    });
    workspace.writeLock(withPolicy(locks.was, {}));
    expect(await workspace.check()).toMatchObject({ code: 0, stderr: "" });
  });

  test("passes a stricter one with a note", async () => {
    workspace.configure({ preset: "breaking" });
    workspace.commitBase();
    workspace.configure({ preset: "compatible" });
    expect((await workspace.check()).code).toBe(0);
    expect((await findings()).map(({ rule, level }) => `${rule} ${level}`)).toContain("policy/strengthened note");
  });

  test("is nowhere where the base has neither, which is reported", async () => {
    rmSync(workspace.path("agentprint.lock"));
    workspace.commitBase();
    workspace.writeLock(locks.was);
    workspace.configure({ preset: "breaking" });
    const { code, stderr } = await workspace.check(["--allow-changed-launch"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^note: base \([0-9a-f]{12}\) has neither a lock nor a policy/);
  });

  test("is read from the file that --config names", async () => {
    workspace.configure({}, "strict.json");
    workspace.commitBase();
    workspace.configure({ preset: "breaking" }, "strict.json");
    expect((await workspace.check(["--config", "strict.json"])).code).toBe(1);
    using outside = new Workspace();
    writeFileSync(outside.path("policy.json"), "{}");
    const run = await workspace.check(["--config", outside.path("policy.json")]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("outside the repository") });
  });
});

describe("check --base, the accepted parts of the change", () => {
  test("is reported as notes with verdicts, and the servers are compared with the lock after", async () => {
    workspace.commitBase();
    workspace.writeLock(locks.is);
    expect(await workspace.check([], after)).toMatchObject({ code: 0 });
    const found = (await findings([], after)).filter(({ message }) => message.startsWith("approved in this change"));
    expect(found.map(({ rule }) => rule)).toEqual(["mcp/item-added", "mcp/prose-signal", "mcp/item-removed"]);
    for (const { level, isRemark } of found) expect([level, isRemark]).toEqual(["note", true]);
    // Without the changed lock, the same difference is drift.
    expect((await workspace.check([], before)).code).toBe(1);
    expect((await workspace.check(["it"], after)).stdout).toContain("approved in this change: tool removed");
  });

  test("never fails the check, whatever the policy says, and added, removed and differently visited servers are reported", async () => {
    const other = lockServer("other", leavingTraces(workspace.path("trace")));
    workspace.writeLock(withServer(locks.was, other));
    workspace.configure({ rules: { "mcp/item-removed": "error", "mcp/prose-signal": "error" } });
    workspace.commitBase();
    const [entry] = locks.is.servers as [LockedServer];
    workspace.writeLock(withServer(locks.is, lockServer("third", leavingTraces(workspace.path("trace")))));
    const { stdout, code } = await workspace.check(["it"], after);
    expect({ code }).toEqual({ code: 0 });
    expect(stdout).not.toMatch(/was (added|removed)/);
    const found = await findings(["--allow-changed-launch"], after);
    expect(found).toContainEqual(expect.objectContaining({ rule: "lock/server-removed", level: "note" }));
    expect(found).toContainEqual(expect.objectContaining({ rule: "lock/server-added", level: "note" }));
    const [narrower] = (await pinIt(after, {})).servers as [LockedServer];
    expect(narrower.digest).not.toBe(entry.digest);
    workspace.writeLock(withoutServer(withServer(locks.is, narrower), "other"));
    expect(await findings(["it"], after)).toContainEqual(
      expect.objectContaining({ rule: "mcp/sessions-changed", level: "note" }),
    );
  });
});

describe("check --base, the launches", () => {
  let trace: string;
  let entry: LockedServer;
  beforeEach(() => {
    trace = workspace.path("trace");
    entry = lockServer("it", leavingTraces(trace));
  });
  const tried = async (args: readonly string[] = [], env = {}) => {
    const run = await workspace.check(args, { ...before, ...env });
    const isStarted = existsSync(trace);
    rmSync(trace, { force: true });
    return { ...run, isStarted };
  };

  test("of the base are started, and no others", async () => {
    workspace.writeLock(withServer(locks.was, entry));
    workspace.commitBase();
    expect(await tried()).toMatchObject({ code: 2, isStarted: true });

    // Another launch, name or variable: in the lock, after `--`, and in a configuration.
    workspace.writeLock(locks.was);
    workspace.commitBase();
    workspace.writeLock(withServer(locks.was, entry));
    const other = await tried();
    expect(other).toMatchObject({ code: 2, isStarted: false });
    expect(other.stdout).toContain("could not tell: the launch of it is not the one pinned in base (");
    expect(other.stderr).toContain("with --allow-changed-launch");
    expect(await tried(["--allow-changed-launch"])).toMatchObject({ code: 2, isStarted: true });

    workspace.writeLock(withServer(locks.was, lockServer("new", leavingTraces(trace))));
    expect(await tried(["new"])).toMatchObject({
      code: 2,
      isStarted: false,
      stdout: expect.stringContaining("new is not pinned in base ("),
    });

    workspace.writeLock(locks.was);
    const { launch } = entry as { launch: { command: string; args: string[] } };
    expect(await tried(["it", "--", launch.command, ...launch.args])).toMatchObject({ code: 2, isStarted: false });
    const it = { command: launch.command, args: launch.args };
    writeFileSync(workspace.path("mcp.json"), JSON.stringify({ mcpServers: { it } }));
    expect(await tried(["--mcp-config", "mcp.json"])).toMatchObject({ code: 2, isStarted: false });
    const variable = await tried(["it", "--env", "NODE_OPTIONS"], { NODE_OPTIONS: "--no-warnings" });
    expect(variable.stdout).toContain("the launch of it is not the one");
  });

  test("with other variables are not started, even where an envFile names them", async () => {
    const [command = "", ...args] = SERVER;
    writeFileSync(workspace.path("vars.env"), "HOSTILE_TEXT=before\n");
    const configureClient = () =>
      writeFileSync(
        workspace.path("mcp.json"),
        JSON.stringify({ servers: { it: { command, args, envFile: workspace.path("vars.env") } } }),
      );
    configureClient();
    workspace.commitBase();
    expect(await tried(["--mcp-config", "mcp.json"])).toMatchObject({ code: 0 });
    writeFileSync(workspace.path("vars.env"), "HOSTILE_TEXT=before\nNODE_OPTIONS=--require=./evil.js\n");
    const run = await tried(["--mcp-config", "mcp.json"]);
    const says = "mcp.json:1 launches the server differently than pinned";
    expect(run).toMatchObject({ code: 2, stdout: expect.stringContaining(says) });
  });
});
