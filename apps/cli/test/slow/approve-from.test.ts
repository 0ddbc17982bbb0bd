import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serverScript, switchVersion } from "../../demo/installed-server.ts";
import { reportDigest } from "../../src/report/write-report.ts";
import { after, DriftingServers } from "../support/drifting-servers.ts";
import { toolsServer } from "../support/tools-server.ts";

let workspace: DriftingServers;
beforeEach(async () => {
  workspace = await DriftingServers.create();
});
afterEach(() => workspace[Symbol.dispose]());

describe("agentprint approve --from", () => {
  const report = (): string => workspace.path("report.json");

  async function check(env: Record<string, string>): Promise<void> {
    expect((await workspace.run(["check", "--format", "json", "-o", "report.json"], env)).code).toBe(1);
  }

  test("accepts exactly the states that a report shows", async () => {
    await check(after);
    const only = await workspace.run(["approve", "b", "--from", "report.json"], after);
    expect(only).toMatchObject({ code: 0, stderr: expect.stringMatching(/^approved b: .*\n$/) });
    expect(workspace.changed()).toEqual(["b"]);
    const run = await workspace.run(["approve", "--from", "report.json"], after);
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^approved a: .*\napproved c: .*\n$/) });
    expect(await workspace.run(["check"], after)).toMatchObject({ code: 0 });
  });

  test("accepts a new tool, about which the report has a remark", async () => {
    const write = (...names: string[]): void =>
      writeFileSync(
        workspace.path("server.cjs"),
        toolsServer(names.map((name) => ({ name, inputSchema: { type: "object" } }))),
      );
    write("read");
    expect((await workspace.run(["pin", "--name", "d", "--", "node", "server.cjs"])).code).toBe(0);
    write("read", "drop");
    const args = ["check", "d", "--format", "json", "-o", "report.json"];
    expect((await workspace.run(args)).code).toBe(1);
    const { findings } = JSON.parse(readFileSync(report(), "utf8")) as Shown;
    expect(findings).toContainEqual(expect.objectContaining({ rule: "mcp/missing-hints", isRemark: true }));
    const run = await workspace.run(["approve", "--from", "report.json"]);
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("approved d: ") });
  });

  test("refuses a change after the review, of a server or of the lock", async () => {
    await check(after);
    const later = await workspace.run(["approve", "--from", "report.json"], { HOSTILE_TEXT: "later" });
    expect(later).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("a is not in the state that report.json shows"),
    });
    expect(workspace.changed()).toEqual([]);
    expect((await workspace.run(["approve", "b", "--yes"], { HOSTILE_TEXT: "other" })).code).toBe(0);
    const text = workspace.lockText();
    const other = await workspace.run(["approve", "--from", "report.json"], after);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("compares b with an entry other") });
    expect(workspace.lockText()).toBe(text);
  });

  test("accepts an upgrade of a real server that was reviewed", async () => {
    const link = workspace.path("node_modules/server");
    switchVersion(link, "server-filesystem-2026-1-14");
    expect((await workspace.run(["pin", "--name", "files", "--", "node", serverScript(link), "."])).code).toBe(0);
    switchVersion(link, "server-filesystem-2026-7-4");
    expect((await workspace.run(["check", "files", "--format", "json", "-o", "report.json"])).code).toBe(1);
    switchVersion(link, "server-filesystem-2026-8-31");
    expect((await workspace.run(["approve", "--from", "report.json"])).code).toBe(1);
    switchVersion(link, "server-filesystem-2026-7-4");
    expect((await workspace.run(["approve", "--from", "report.json"])).code).toBe(0);
    expect((await workspace.run(["check", "files"])).code).toBe(0);
  });

  test.each([
    { name: "no JSON", edit: () => "{\n x", says: ["invalid-report", "report.json:2:2"] },
    { name: "another document", edit: () => '{"servers":[]}', says: ["invalid-report", "reportVersion"] },
    {
      name: "a digest that is none",
      edit: (text: string) => text.replace(/"after":"[0-9a-f]{64}"/, '"after":"1"'),
      says: ["64 lowercase"],
    },
    {
      name: "two results for one server",
      edit: (text: string) => text.replaceAll('"server":"b"', '"server":"a"'),
      says: ["two results for a"],
    },
    { name: "a member twice", edit: (text: string) => text.replace("{", '{"servers":[],'), says: ["invalid-report"] },
  ])("refuses a report with $name", async ({ edit, says }) => {
    await check(after);
    writeFileSync(report(), edit(readFileSync(report(), "utf8")));
    const run = await workspace.run(["approve", "--from", "report.json"], after);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of says) expect(run.stderr).toContain(words);
    expect(workspace.changed()).toEqual([]);
  });

  interface Shown {
    reportDigest?: string;
    summary: string;
    findings: {
      rule: string;
      level: string;
      message: string;
      place: { server?: string };
      after?: unknown;
      isRemark?: true;
    }[];
  }
  /** Edits the report, and gives it a valid digest if the editor can compute one. */
  function edit(change: (report: Shown) => void, isForged: boolean): void {
    const edited = JSON.parse(readFileSync(report(), "utf8"));
    change(edited);
    if (isForged) edited.reportDigest = reportDigest(edited);
    writeFileSync(report(), JSON.stringify(edited));
  }
  const edits: [string, (report: Shown) => void][] = [
    ["no findings", (shown) => (shown.findings = [])],
    ["one finding fewer", (shown) => shown.findings.splice(0, 1)],
    [
      "the findings of one server fewer",
      (shown) => (shown.findings = shown.findings.filter(({ place }) => place.server !== "b")),
    ],
    ["another value", (shown) => Object.assign(shown.findings[0] ?? {}, { after: "harmless", before: "x" })],
    ["another rule", (shown) => Object.assign(shown.findings[0] ?? {}, { rule: "mcp/other" })],
    [
      "lower levels",
      (shown) => (shown.findings = shown.findings.map((finding) => ({ ...finding, level: "note" })).reverse()),
    ],
    ["other words", (shown) => Object.assign(shown.findings[0] ?? {}, { message: "harmless" })],
    [
      "findings as remarks",
      (shown) => (shown.findings = shown.findings.map((finding) => ({ ...finding, isRemark: true }))),
    ],
  ];

  test.each(edits)("refuses a report with %s", async (_name, change) => {
    await check(after);
    edit(change, false);
    const edited = await workspace.run(["approve", "--from", "report.json"], after);
    expect(edited).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("reportDigest") });
    edit(() => {}, true);
    const forged = await workspace.run(["approve", "--from", "report.json"], after);
    expect(forged).toMatchObject({ code: 1, stderr: expect.stringContaining("does not show all that changed") });
    // The drift to be approved had been printed.
    expect(forged.stdout).toContain("after");
    expect(workspace.changed()).toEqual([]);
  });

  test("covers its visible text by its digest, which is required", async () => {
    await check(after);
    edit((shown) => (shown.summary = "nothing drifted"), false);
    expect((await workspace.run(["approve", "--from", "report.json"], after)).stderr).toContain("reportDigest");
    edit((shown) => delete shown.reportDigest, false);
    expect((await workspace.run(["approve", "--from", "report.json"], after)).code).toBe(2);
    expect(workspace.changed()).toEqual([]);
  });

  test("names the changes that the report does not show", async () => {
    workspace.configure({ b: { command: "no-such-command" } });
    const check = [
      "check",
      "--format",
      "json",
      "-o",
      "report.json",
      "--mcp-config",
      "mcp.json",
      "--allow-changed-launch",
    ];
    expect((await workspace.run(check, after)).code).toBe(2);
    const run = await workspace.run(["approve", "--from", "report.json"], after);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^note: report.json does not show everything about b\n/),
    });
    expect(workspace.changed()).toEqual(["a", "c"]);

    expect((await workspace.run([...check, "b"], after)).code).toBe(2);
    const nothing = await workspace.run(["approve", "--from", "report.json"], after);
    expect(nothing).toMatchObject({ code: 2, stdout: "" });
    expect(nothing.stderr).toContain("report.json shows no state to approve");

    expect((await workspace.run(["check", "steady", "--format", "json", "-o", "report.json"])).code).toBe(0);
    const same = await workspace.run(["approve", "--from", "report.json"]);
    expect(same).toEqual({ code: 0, stdout: "", stderr: "note: report.json shows no change of a pinned server\n" });
  });

  test("refuses a server whose change the report does not show", async () => {
    await check(after);
    const run = await workspace.run(["approve", "steady", "--from", "report.json"], after);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("report.json shows no change of steady") });
    const missing = await workspace.run(["approve", "--from", "missing.json"], after);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot read missing.json") });
  });
});
