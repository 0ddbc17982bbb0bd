import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

// Characters that a terminal or a CI log could act on, except line breaks, which the report itself writes.
const ACTIVE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u;

describe("a server that cannot be judged ends 2 and leaves no lock", () => {
  test.each([
    { server: "never-answers", visits: { connectTimeout: 500 }, says: ["server-timeout", "connectTimeout"] },
    { server: "hangs-on-tools", visits: { requestTimeout: 500 }, says: ["server-timeout", "tools/list"] },
    // Of two timeouts, no process may wait for the longer one.
    {
      server: "hangs-on-tools",
      visits: { totalTimeout: 1000, requestTimeout: 600_000 },
      says: ["server-timeout", "totalTimeout"],
    },
    { server: "floods-stdout", visits: {}, says: ["server-limit", "more than 16777216 bytes"] },
    { server: "floods-stderr", visits: { connectTimeout: 1000 }, says: ["server-timeout", "end of line"] },
    { server: "huge-answer", visits: {}, says: ["server-limit", "more than 16777216 bytes"] },
    {
      server: "huge-answer",
      visits: { maxBytes: 200_000_000 },
      says: ["server-limit", "a message of more than 67108864 bytes"],
    },
    { server: "many-tools", visits: { maxItems: 9999 }, says: ["server-limit", "more than 9999 items"] },
    { server: "invalid-json", visits: {}, says: ["server-garbage", "strict JSON"] },
    { server: "not-a-message", visits: {}, says: ["server-garbage", "Server listening on stdio"] },
    { server: "endless-pages", visits: { maxPages: 50 }, says: ["server-limit", "more than 50 pages"] },
    { server: "repeated-cursor", visits: {}, says: ["server-garbage", "the cursor of an earlier page"] },
    { server: "duplicate-tools", visits: {}, says: ["server-garbage", `"read" is listed twice`] },
    { server: "dies-in-the-middle", visits: {}, says: ["server-ended", "exit code 7"] },
    {
      server: "fails-with-stderr",
      visits: {},
      says: ["exit code 3", "\\u{1b}[31mmissing dependency", "\\u{202e}not what"],
    },
    { server: "wrong-ids", visits: {}, says: ["server-garbage", 'id "01"'] },
    { server: "answers-with-error", visits: {}, says: ["server-error", "-32603", "\\u{1b}[5m"] },
    { server: "lone-surrogate", visits: {}, says: ["server-garbage", "lone-surrogate", "/result/tools/0/description"] },
    { server: "duplicate-keys", visits: {}, says: ["server-garbage", "duplicate-key", "/result/tools/0/description"] },
    { server: "deep-nesting", visits: {}, says: ["server-garbage", "too-deep"] },
    { server: "changes-while-read", visits: {}, says: ["server-unstable"] },
  ])("$server $visits", async ({ server, visits, says }) => {
    const run = await workspace.run(["pin", "--", ...hostile(server)], {}, visits);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of says) expect(run.stderr).toContain(words);
    expect(run.stderr).not.toMatch(ACTIVE);
    expect(run.stderr).not.toContain("defect of agentprint");
    expect(run.stderr.length).toBeLessThan(6000);
    expect(existsSync(workspace.path("agentprint.lock"))).toBe(false);
  });

  test("a command that does not exist", async () => {
    const run = await workspace.run(["pin", "--", "no-such-command-anywhere"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("server-not-started");
  });
});

describe("check never reports a failure as no drift", () => {
  test.each(["never-answers", "dies-in-the-middle", "invalid-json", "huge-answer"])("%s", async (server) => {
    await workspace.run(["pin", "--name", "it", "--", ...hostile("many-tools"), "1"]);
    const before = workspace.lockText();
    const run = await workspace.run(["check", "it", "--", ...hostile(server)], {}, { connectTimeout: 1000 });
    expect(run.code).toBe(2);
    expect(run.stdout).toContain("could not tell");
    expect(workspace.lockText()).toBe(before);
  });

  test("a server that cannot be judged decides the outcome, next to one that drifted and one that did not", async () => {
    await workspace.run(["pin", "--name", "a", "--", ...hostile("many-tools"), "1"]);
    await workspace.run(["pin", "--name", "b", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")], {
      HOSTILE_TEXT: "before",
    });
    await workspace.run(["pin", "--name", "c", "--env", "API_TOKEN", "--", ...hostile("secret-on-stderr")], {
      API_TOKEN: "set only while pinning",
    });
    const run = await workspace.run(["check", "--format", "json"], { HOSTILE_TEXT: "after" });
    expect(run.code).toBe(2);
    const { servers } = JSON.parse(run.stdout) as { servers: { server: string; outcome: string }[] };
    expect(servers.map(({ server, outcome }) => [server, outcome])).toEqual([
      ["a", "same"],
      ["b", "drift"],
      ["c", "unknown"],
    ]);
    expect(run.stderr).toContain("export API_TOKEN=");
  });
});

describe("a server that can be judged", () => {
  test("reads tools again that changed after they were read", async () => {
    const pin = await workspace.run(["pin", "--name", "it", "--", ...hostile("changes-behind"), "2"]);
    expect(pin).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.lock().servers[0]?.tools.map(({ definition }) => definition["name"])).toEqual([
      "new-0",
      "new-1",
      "read",
    ]);
    const run = await workspace.run(["check", "it", "--", ...hostile("changes-behind"), "30"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("server-unstable");
  });

  test("pins all 10,000 tools on 100 pages", async () => {
    const pin = ["pin", "--name", "many", "--", ...hostile("many-tools")];
    const run = await workspace.run(pin, {}, { maxBytes: 200_000_000 });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(workspace.lock().servers[0]?.tools).toHaveLength(10_000);
  });

  test("cannot write terminal escapes or bidirectional controls through any format", async () => {
    const command = ["--name", "it", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
    const [before, after] = ["plain", "\u001b]0;owned\u0007\u001b[2J\u202etxt.exe\u200b\r\n::error::"];
    expect((await workspace.run(["pin", ...command], { HOSTILE_TEXT: before })).code).toBe(0);
    for (const format of ["text", "json", "markdown", "sarif", "junit", "github"]) {
      const run = await workspace.run(["check", "--format", format], { HOSTILE_TEXT: after });
      expect(run).toMatchObject({ code: 1, stderr: "" });
      expect(run.stdout).not.toMatch(ACTIVE);
    }
    const approved = await workspace.run(["approve", "it", "--yes"], { HOSTILE_TEXT: after });
    expect(approved.code).toBe(0);
    expect(approved.stdout + approved.stderr).not.toMatch(ACTIVE);
    expect(workspace.lock().servers[0]?.tools[0]?.definition["description"]).toBe(after);
  });

  test("keeps __proto__ as data", async () => {
    expect(await workspace.run(["pin", "--name", "it", "--", ...hostile("proto-keys")])).toMatchObject({ code: 0 });
    const definition = workspace.lock().servers[0]?.tools[0]?.definition ?? {};
    expect(Object.hasOwn(definition, "__proto__")).toBe(true);
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  });

  test("receives only the named variables, and no file or output contains a value", async () => {
    const secret = "s3cr3t-value-0123456789";
    const command = ["--", ...hostile("secret-on-stderr")];
    const without = await workspace.run(["pin", "--name", "without", ...command], { API_TOKEN: secret });
    const pinned = await workspace.run(["pin", "--name", "with", "--env", "API_TOKEN", ...command], {
      API_TOKEN: secret,
    });
    const checked = await workspace.run(["check", "--format", "json"], { API_TOKEN: secret });
    const tools = workspace.lock().servers.map(({ tools }) => tools[0]?.definition["name"]);
    expect(tools).toEqual(["has-token-true", "has-token-false"]);
    expect(checked.code).toBe(0);
    for (const text of [
      workspace.lockText(),
      ...[without, pinned, checked].flatMap((run) => [run.stdout, run.stderr]),
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(readFileSync(workspace.path("agentprint.lock"), "utf8")).toContain("API_TOKEN");
  });
});
