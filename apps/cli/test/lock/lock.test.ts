import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { lstat, rename } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

interface SarifPlace {
  readonly region: { readonly startLine: number };
}
interface SarifResult {
  readonly locations: readonly { readonly physicalLocation?: SarifPlace }[];
}

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace(ONE_ERA);
});
afterEach(() => workspace[Symbol.dispose]());

const WRITE_MANY = fileURLToPath(new URL("../support/write-many.ts", import.meta.url));
const server = hostile("terminal-escapes");
const pinArgs = (name: string): string[] => ["pin", "--name", name, "--env", "HOSTILE_TEXT", "--", ...server];
const [before, after] = [{ HOSTILE_TEXT: "before" }, { HOSTILE_TEXT: "after" }];

async function digestOf(env: Record<string, string>): Promise<{ digest: string; tools: string }> {
  const run = await workspace.run(["check", "it", "--format", "json"], env);
  const [drift] = (
    JSON.parse(run.stdout) as { servers: { digest: { after: string }; toolsDigest: { after: string } }[] }
  ).servers;
  return { digest: drift?.digest.after ?? "", tools: drift?.toolsDigest.after ?? "" };
}

describe("the lock file", () => {
  test("loses no entry of two processes that write it at the same time", async () => {
    const writes = 20;
    const start = (prefix: string) => {
      const args = [WRITE_MANY, workspace.path("agentprint.lock"), prefix, `${writes}`];
      return startProgram(process.execPath, ["--conditions=@agentprint/source", ...args]);
    };
    const writers = [await start("a"), await start("b")];
    await Promise.all(writers.map(({ stdout }) => once(stdout, "data")));
    const ends = writers.map((writer) => once(writer, "exit"));
    for (const { stdin } of writers) stdin.end();
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0]);
    expect(workspace.lock().servers).toHaveLength(2 * writes);
  });

  test("is written again after a writer that was killed", async () => {
    mkdirSync(workspace.path("agentprint.lock.lock"));
    const past = new Date(Date.now() - 60_000);
    utimesSync(workspace.path("agentprint.lock.lock"), past, past);
    expect(await workspace.run(pinArgs("it"), before)).toMatchObject({ code: 0, stderr: "" });
  });

  test("with two sides of a merge says how to go on", async () => {
    await workspace.run(pinArgs("it"), before);
    const [first = "", ...rest] = workspace.lockText().split("\n");
    const sides = ["<<<<<<< HEAD", '  "a": 1,', "=======", '  "b": 2,', ">>>>>>> theirs"];
    writeFileSync(workspace.path("agentprint.lock"), [first, ...sides, ...rest].join("\n"));
    const { code, stderr } = await workspace.run(["check"], before);
    expect(code).toBe(2);
    expect(stderr).toContain("agentprint.lock:2:1");
    expect(stderr).toContain("run git checkout --ours or --theirs on it");
  });

  test("is the same bytes when nothing changed", async () => {
    await workspace.run(pinArgs("it"), before);
    const text = workspace.lockText();
    expect((await workspace.run(pinArgs("it"), before)).code).toBe(0);
    expect(workspace.lockText()).toBe(text);
  });

  test("is written through a symbolic link", async () => {
    await workspace.run(pinArgs("it"), before);
    await rename(workspace.path("agentprint.lock"), workspace.path("real.lock"));
    symlinkSync("real.lock", workspace.path("agentprint.lock"));
    expect((await workspace.run(["approve", "it", "--yes"], after)).code).toBe(0);
    expect((await lstat(workspace.path("agentprint.lock"))).isSymbolicLink()).toBe(true);
    expect((await workspace.run(["check"], after)).code).toBe(0);
  });

  test.each([
    { name: "is not JSON", edit: () => "{\n  nonsense", says: "agentprint.lock:2:3" },
    { name: "was edited", edit: (text: string) => text.replace('"before"', '"benign"'), says: "digest-mismatch" },
    { name: "is of another version", edit: () => '{"lockVersion":99}', says: "install the newest agentprint" },
  ])("is rejected when it $name", async ({ edit, says }) => {
    await workspace.run(pinArgs("it"), before);
    const text = edit(workspace.lockText());
    writeFileSync(workspace.path("agentprint.lock"), text);
    for (const args of [["check"], ["approve", "it", "--yes"], pinArgs("other")]) {
      const run = await workspace.run(args, before);
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain(says);
      expect(workspace.lockText()).toBe(text);
    }
  });

  test("is an error without a wait in a folder that does not exist", async () => {
    const run = await workspace.run(["pin", "--lock", "no/such/folder.lock", ...pinArgs("it").slice(1)], before);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("cannot write no/such/folder.lock");
  });

  test("is an error when it does not exist", async () => {
    const run = await workspace.run(["check"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("missing-lock");
  });
});

describe("agentprint pin", () => {
  test("keeps the entry of a pinned server that differs, unless --replace is given", async () => {
    await workspace.run(pinArgs("it"), before);
    const text = workspace.lockText();
    const run = await workspace.run(pinArgs("it"), after);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain("already-pinned");
    expect(workspace.lockText()).toBe(text);
    expect((await workspace.run(["pin", "--replace", ...pinArgs("it").slice(1)], after)).code).toBe(0);
    expect((await workspace.run(["check"], after)).code).toBe(0);
  });

  test("lists the servers that can be pinned where no server is given", async () => {
    expect((await workspace.run(["pin"])).stderr).toContain(
      "a command after --, --url <url>, --mcp-config <file>, or --registry <name>",
    );
  });

  test.each([
    { name: "a server named in two ways", args: ["pin", "--url", "http://localhost/", "--", "x"] },
    { name: "a command without --", args: ["pin", "node", "server.js"] },
    { name: "an address that is none", args: ["pin", "--url", "ftp://localhost/"] },
    { name: "a capability that is none", args: ["pin", "--capabilities", "smapling", "--", "x"] },
    { name: "capabilities that are no object", args: ["pin", "--capabilities", '{"a":', "--", "x"] },
    { name: "an option that is a setting now", args: ["pin", "--total-timeout", "1", "--", "x"] },
  ])("refuses $name", async ({ args }) => {
    const run = await workspace.run(args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/^error: /);
    expect(run.stderr).not.toContain("defect");
  });
});

describe("agentprint check", () => {
  test("writes its report to a file, with the lines of the lock file", async () => {
    await workspace.run(pinArgs("it"), before);
    const run = await workspace.run(["check", "--format", "sarif", "--output", "drift.sarif"], after);
    expect(run).toEqual({ code: 1, stdout: "", stderr: "" });
    const sarif = JSON.parse(readFileSync(workspace.path("drift.sarif"), "utf8"));
    const places = sarif.runs[0].results.map((result: SarifResult) => result.locations[0]?.physicalLocation);
    const line = workspace
      .lockText()
      .split("\n")
      .findIndex((text) => text.includes('"description": "before"'));
    expect(places).toContainEqual({
      artifactLocation: expect.objectContaining({ uri: "agentprint.lock" }),
      region: expect.objectContaining({ startLine: expect.any(Number) }),
    });
    const starts = places.map((place: SarifPlace | undefined) => place?.region.startLine);
    expect(Math.min(...starts)).toBeLessThanOrEqual(line + 1);
  });

  test("prints the command that approves its findings", async () => {
    await workspace.run(pinArgs("it"), before);
    const { stdout } = await workspace.runInOwnViews(["check"], after);
    const suggested = /agentprint (approve it --expect [0-9a-f]{64})/.exec(stdout)?.[1] ?? "";
    expect((await workspace.run(suggested.split(" "), after)).code).toBe(0);
  });

  test("requires the server's name when only its command is given", async () => {
    await workspace.run(pinArgs("it"), before);
    const run = await workspace.run(["check", "--", ...server], before);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("error: name the pinned server that this command starts");
    expect(run.stderr).toContain("agentprint check <server> -- <command…>, where agentprint.lock has it");
  });

  test.each([["nobody"], ["--", "node"], ["a", "b", "--", "node"]])("refuses check %s %s %s %s", async (...args) => {
    await workspace.run(pinArgs("it"), before);
    expect(await workspace.run(["check", ...args])).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("agentprint approve", () => {
  beforeEach(async () => {
    await workspace.run(pinArgs("it"), before);
  });

  test("shows the difference and accepts the new state", async () => {
    const run = await workspace.run(["approve", "it", "--yes"], after);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('read: prose changed, with signals at /description: "before" → "after"');
    expect((await workspace.run(["check"], after)).code).toBe(0);
  });

  test("needs --yes or --expect without a terminal", async () => {
    const text = workspace.lockText();
    const run = await workspace.run(["approve", "it"], after);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("without a terminal, approve needs --yes or --expect");
    expect(run.stderr).toContain("not-reviewed");
    expect(workspace.lockText()).toBe(text);
  });

  test("accepts with --expect the state that was reviewed", async () => {
    const { digest } = await digestOf(after);
    expect((await workspace.run(["approve", "it", "--expect", digest], after)).code).toBe(0);
    expect(workspace.lock().servers[0]?.digest).toBe(digest);
  });

  test("accepts with --expect the digest of the set of tools, when nothing else changed", async () => {
    const { tools } = await digestOf(after);
    expect((await workspace.run(["approve", "it", "--expect", tools], after)).code).toBe(0);
    expect(workspace.lock().servers[0]?.toolsDigest).toBe(tools);
  });

  test("refuses with --expect any other state, and leaves the lock as it was", async () => {
    const text = workspace.lockText();
    const { digest } = await digestOf(after);
    const run = await workspace.run(["approve", "it", "--expect", digest], { HOSTILE_TEXT: "after the review" });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("not-reviewed");
    expect(workspace.lockText()).toBe(text);
    // The locked state is not the one that was reviewed, either.
    expect((await workspace.run(["approve", "it", "--expect", digest], before)).code).toBe(1);
  });

  test("refuses a server that could not be read, and leaves the lock as it was", async () => {
    const text = workspace.lockText();
    const run = await workspace.run(["approve", "it", "--", ...hostile("dies-in-the-middle")]);
    expect(run.code).toBe(2);
    expect(workspace.lockText()).toBe(text);
  });

  test("keeps the entry that another writer wrote during the visit", async () => {
    const gate = workspace.path("gate");
    const gated = { ...after, HOSTILE_GATE: gate };
    const command = ["--env", "HOSTILE_TEXT", "--env", "HOSTILE_GATE", "--", ...hostile("waits-for-gate")];
    const approving = workspace.run(["approve", "it", "--yes", ...command], gated);
    await expect.poll(() => existsSync(`${gate}.asked`)).toBe(true);
    const other = await workspace.run(["pin", "--replace", ...pinArgs("it").slice(1)], { HOSTILE_TEXT: "other" });
    expect(other.code).toBe(0);
    writeFileSync(gate, "");
    const run = await approving;
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("not-reviewed");
    expect(await workspace.run(["check"], { HOSTILE_TEXT: "other" })).toMatchObject({ code: 0, stderr: "" });
  });

  test("accepts a new launch", async () => {
    const run = await workspace.run(["approve", "it", "--yes", "--", ...hostile("secret-on-stderr")]);
    expect(run.code).toBe(0);
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([["nobody"], ["it", "--expect", "abc"], ["it", "other"], []])(
    "refuses approve %s %s %s",
    async (...args) => {
      const run = await workspace.run(["approve", ...args], before);
      expect(run).toMatchObject({ code: 2, stdout: "" });
    },
  );
});
