import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { after, before, DriftingServers } from "../support/drifting-servers.ts";
import { hostile } from "../support/hostile.ts";

let workspace: DriftingServers;
beforeEach(async () => {
  workspace = await DriftingServers.create();
});
afterEach(() => workspace[Symbol.dispose]());

/** Returns the digests that a check finds, by server name. */
async function found(env: Record<string, string>): Promise<Record<string, string>> {
  const { stdout } = await workspace.run(["check", "--format", "json"], env);
  const { servers } = JSON.parse(stdout) as { servers: { server: string; digest: { after: string } }[] };
  return Object.fromEntries(servers.map(({ server, digest }) => [server, digest.after]));
}

describe("agentprint approve of several servers", () => {
  test("accepts with one --expect the states for which check printed it", async () => {
    const { stdout } = await workspace.runInOwnViews(["check"], after);
    const lines = [
      ...stdout.matchAll(/To accept these 3 states after review, run: agentprint (approve a b c --expect (.*))/g),
    ];
    expect(lines).toHaveLength(1);
    const [[, line = "", digest] = []] = lines;
    // Scripts depend on the digest of several servers: SHA-256 of this text.
    const { a, b, c } = await found(after);
    const text = `[["a","${a}"],["b","${b}"],["c","${c}"]]`;
    expect(digest).toBe(createHash("sha256").update(text).digest("hex"));

    const other = await workspace.run(line.split(" "), { HOSTILE_TEXT: "after the review" });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("not in the states that were reviewed") });
    expect(workspace.changed()).toEqual([]);
    expect((await workspace.run(["approve", "c", "a", "--expect", digest ?? ""], after)).code).toBe(1);
    expect(workspace.changed()).toEqual([]);

    const run = await workspace.run(line.split(" "), after);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^approved a: .*\napproved b: .*\napproved c: .*\n$/),
    });
    expect(workspace.changed()).toEqual(["a", "b", "c"]);
    expect(await workspace.run(["check"], after)).toMatchObject({ code: 0, stderr: "" });
    // A second approval writes nothing.
    expect(await workspace.run(line.split(" "), after)).toMatchObject({ code: 0, stderr: "" });
  });

  test("accepts all changes with --all --yes, and explains how to review them without a terminal", async () => {
    const unasked = await workspace.runInOwnViews(["approve", "--all"], after);
    expect(unasked.code).toBe(2);
    const line = /then run: agentprint (approve a b c steady --expect [0-9a-f]{64})\n/.exec(unasked.stderr)?.[1] ?? "";
    expect(workspace.changed()).toEqual([]);
    expect((await workspace.run(line.split(" "), after)).code).toBe(0);
    expect(workspace.changed()).toEqual(["a", "b", "c"]);
    expect((await workspace.run(["approve", "--all", "--yes"], before)).code).toBe(0);
    expect(workspace.lockText()).toBe(workspace.pinned);
  });

  test("writes nothing where one of the servers could not be read", async () => {
    workspace.configure({ b: { command: "no-such-command" } });
    const run = await workspace.run(["approve", "a", "b", "--yes", "--mcp-config", "mcp.json"], after);
    expect(run).toMatchObject({ code: 2, stdout: expect.stringContaining("b could not be read; a drifted") });
    expect(run.stderr).toContain("error: b: ");
    expect(workspace.changed()).toEqual([]);
  });

  test.each([
    { name: "no server", args: [], says: "approve needs the names of servers" },
    { name: "all and some", args: ["--all", "a"], says: "--all and the names of servers exclude each other" },
    {
      name: "one launch for two",
      args: ["a", "b", "--", ...hostile("terminal-escapes")],
      says: "several servers cannot share one launch",
    },
    { name: "one address for all", args: ["--all", "--url", "http://localhost/"], says: "exactly one server name" },
    { name: "a name that is not pinned", args: ["a", "stedy"], says: "give steady, if that was meant" },
    { name: "two reviews", args: ["--from", "r.json", "--expect", "0".repeat(64)], says: "cannot be used with" },
  ])("refuses $name", async ({ args, says }) => {
    const run = await workspace.run(["approve", ...args], after);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(says) });
    expect(workspace.changed()).toEqual([]);
  });

  test("loses nothing of another writer, and writes nothing if that writer changed one of the entries", async () => {
    const gate = workspace.path("gate");
    const gated = { ...after, HOSTILE_GATE: gate };
    const [command, ...args] = hostile("waits-for-gate");
    workspace.configure({ b: { command, args, env: gated } });
    const approve = ["approve", "a", "b", "--yes", "--mcp-config", "mcp.json"];
    const approving = workspace.run(approve, gated);
    await expect.poll(() => existsSync(`${gate}.asked`)).toBe(true);
    expect((await workspace.run(["remove", "c"])).code).toBe(0);
    expect((await workspace.run(["approve", "a", "--yes"], { HOSTILE_TEXT: "other" })).code).toBe(0);
    writeFileSync(gate, "");
    expect(await approving).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("another writer changed the entry of a"),
    });
    expect(workspace.lock().servers.map(({ name }) => name)).toEqual(["a", "b", "steady"]);
    expect(workspace.changed()).toEqual(["a", "c"]);
    expect((await workspace.run(["approve", "a", "b", "--yes", "--mcp-config", "mcp.json"], gated)).code).toBe(0);
    expect(workspace.lock().servers.map(({ name }) => name)).toEqual(["a", "b", "steady"]);
  });
});
