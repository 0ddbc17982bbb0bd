import { symlinkSync, writeFileSync } from "node:fs";
import type { Report } from "@agentprint/findings";
import { CHANGE_RULES } from "@agentprint/manifest/rules";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readTexts } from "../../src/guard/load-lock.ts";
import { readPolicy } from "../../src/policy/read-policy.ts";
import { reportByPolicy } from "../../src/policy/report-by-policy.ts";
import { hostile } from "../support/hostile.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const IGNORE = { until: "2999-12-31", reason: "agreed" };
const context = () => memoryContext([], { cwd: workspace.folder });
const write = (value: unknown, file = "agentprint.config.json") =>
  writeFileSync(workspace.path(file), typeof value === "string" ? value : JSON.stringify(value));

describe("a policy is read", () => {
  test("as strict where there is no file", async () => {
    const { policy, file } = await readPolicy(context(), {});
    expect([policy.preset, file]).toEqual(["strict", undefined]);
  });

  test.each([
    ["itself", "agentprint.config.json"],
    ["nothing", "nowhere.json"],
  ])("but not as strict where a link leads to %s", async (_, target) => {
    symlinkSync(target, workspace.path("agentprint.config.json"));
    writeFileSync(workspace.path("agentprint.lock"), "{}");
    await expect(readPolicy(context(), {})).rejects.toMatchObject({ code: "unreadable-input" });
    await expect(readTexts(context(), { lock: "agentprint.lock" })).rejects.toMatchObject({ code: "unreadable-input" });
  });

  test("from next to the lock, from the working directory, and from a named file", async () => {
    write({ preset: "compatible" });
    write({ preset: "breaking" }, "other.json");
    for (const [place, preset] of [
      [{}, "compatible"],
      [{ lock: "agentprint.lock" }, "compatible"],
      [{ lock: "sub/agentprint.lock" }, "strict"],
      [{ lock: "sub/agentprint.lock", config: "other.json" }, "breaking"],
    ] as const) {
      expect((await readPolicy(context(), place)).policy.preset).toBe(preset);
    }
  });

  test.each<[string, unknown, string]>([
    ["a rule that does not exist", { rules: { nothing: "off" } }, ":1:21"],
    [
      "a rule whose level is fixed, by its id without the domain",
      { ignores: [{ rule: "unknown-scope", ...IGNORE }] },
      ":1:21",
    ],
    ["a verdict that could not be reached", { rules: { "mcp/could-not-tell": "off" } }, ":1:32"],
    ["its own weakening", { ignores: [{ rule: "policy/weakened", ...IGNORE }] }, ":1:21"],
    ["two levels of one rule", { rules: { "tool-prose-changed": "note", "mcp/tool-prose-changed": "off" } }, ":1:"],
    ["a text that is no JSON", '{\n  "rules": {},\n}', ":3:1"],
  ])("and refused for %s, with its place", async (_name, config, place) => {
    write(config);
    await expect(readPolicy(context(), {})).rejects.toMatchObject({
      code: "invalid-config",
      details: { where: expect.stringContaining(`agentprint.config.json${place}`) },
    });
    expect(await workspace.run(["text", "compare", "a", "b"])).toMatchObject({ code: 2, stdout: "" });
  });

  test("and reports an id without its domain once", async () => {
    const rule = "tool-prose-changed";
    write({ rules: { [rule]: "note" }, ignores: [{ rule, ...IGNORE }] });
    const notice = `agentprint.config.json names the rule mcp/${rule} by another id, ${rule}`;
    expect((await readPolicy(context(), {})).notices).toEqual([notice]);
    await workspace.run(["manifest", "init", "a.json"]);
    const { stderr } = await workspace.run(["manifest", "validate", "a.json"]);
    expect(stderr).toContain(`note: ${notice}`);
  });
});

describe("a report by a policy", () => {
  const report: Report = {
    command: "agentprint manifest diff",
    title: "agentprint manifest diff",
    summary: "1 breaking",
    findings: [
      {
        rule: "manifest/tool_removed",
        level: "error",
        message: "a tool is gone",
        place: { subject: "b.json", pointer: "/tools/0" },
      },
    ],
    rules: CHANGE_RULES,
    checked: ["b.json"],
    data: {},
  };
  const apply = async (config: object, changed: Partial<Report> = {}) => {
    write(config);
    return reportByPolicy(context(), { ...report, ...changed }, await readPolicy(context(), {}));
  };

  test.each(["manifest/tool_removed"])("has levels and ignores of %s", async (rule) => {
    const leveled = await apply({ rules: { [rule]: "note" } });
    expect([leveled.outcome, leveled.findings[0]?.level]).toEqual(["same", "note"]);
    const ignored = await apply({ ignores: [{ rule, ...IGNORE }] });
    expect([ignored.outcome, ignored.findings, ignored.summary]).toEqual(["same", [], "1 breaking (1 ignored)"]);
    expect((await apply({ ignores: [{ rule, path: "/tools/1", ...IGNORE }] })).outcome).toBe("drift");
  });

  test("does not decide about what could not be told, or about a difference without findings", async () => {
    const off = { rules: { "manifest/tool_removed": "off" } };
    expect((await apply(off, { couldNotTell: "no server was read" })).outcome).toBe("unknown");
    expect((await apply(off, { findings: [], differs: true })).outcome).toBe("drift");
    expect((await apply(off)).outcome).toBe("same");
  });
});

describe("check by a policy", () => {
  const server = hostile("terminal-escapes");
  const [before, after] = [{ HOSTILE_TEXT: "before" }, { HOSTILE_TEXT: "after" }];
  let lock: string;
  beforeAll(async () => {
    using pinned = new Workspace();
    await pinned.run(["pin", "--name", "it", "--env", "HOSTILE_TEXT", "--", ...server], before);
    lock = pinned.lockText();
  });
  beforeEach(() => write(lock, "agentprint.lock"));
  const check = () => workspace.run(["check"], after);
  // Every word of the description is new.
  const COUNTING = { "mcp/item-removed": "off", "mcp/prose-signal": "note" };
  const GONE = { "mcp/item-removed": "off" };

  test.each<[string, object, number]>([
    ["the default", {}, 1],
    ["compatible", { preset: "compatible" }, 1],
    ["compatible, where what counts in it is left out", { preset: "compatible", rules: COUNTING }, 0],
    ["strict, where it is left out", { rules: GONE }, 1],
    ["breaking, where it is left out", { preset: "breaking", rules: GONE }, 0],
    ["the preset of the server", { servers: { it: { preset: "compatible", rules: COUNTING } } }, 0],
    [
      "an ignore of another tool",
      { preset: "breaking", ignores: [{ rule: "mcp/item-removed", tool: "read", ...IGNORE }] },
      1,
    ],
    [
      "an ignore of the tool",
      { preset: "breaking", ignores: [{ rule: "mcp/item-removed", tool: "readbefore", ...IGNORE }] },
      0,
    ],
  ])("ends by %s: %j with exit code %i", async (_name, config, code) => {
    write(config);
    expect((await check()).code).toBe(code);
  });

  test("is exit code 2 if a server could not be read, under any policy", async () => {
    write({ preset: "breaking" });
    expect(
      (await workspace.run(["check", "it", "--", ...hostile("never-answers")], after, { connectTimeout: 1000 })).code,
    ).toBe(2);
  });

  test("offers to approve only the findings that it showed", async () => {
    write({ preset: "breaking" });
    expect((await check()).stdout).toContain("agentprint approve it --expect ");
    write({ preset: "breaking", rules: GONE });
    const { stdout } = await check();
    expect(stdout).toContain("to review all of them, run: agentprint approve it\n");
    const { stdout: shown } = await workspace.run(["approve", "it"], after);
    expect(shown).toContain("The policy leaves this out of a check");
    await workspace.run(["check", "--format", "json", "-o", "report.json"], after);
    const { stderr } = await workspace.run(["approve", "--from", "report.json"], after);
    expect(stderr).toContain("report.json shows no state to approve");
    expect(workspace.lockText()).toBe(lock);
  });

  test("reports expired ignores, and servers that are not pinned", async () => {
    const ignores = [{ rule: "mcp/item-removed", until: "2020-01-01", reason: "agreed" }];
    write({ preset: "breaking", ignores, servers: { files: {} } });
    const { code, stdout, stderr } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain("ignored until 2020-01-01 (agreed); that day is past");
    expect(stderr).toContain(
      "note: agentprint.config.json: the ignore of mcp/item-removed ended on 2020-01-01 (agreed)",
    );
    expect(stderr).toContain("note: agentprint.config.json has decisions for files, which is not in the lock");
  });

  test.each<[string, object, string]>([
    ["wider than the locked schema", { type: ["object", "string"] }, ""],
    ["about a tool that is not pinned", { type: "object" }, "nothing"],
  ])("accepts or refuses arguments %s before it visits the server", async (_name, schema, tool) => {
    write({ servers: { it: { calls: { [tool || "read"]: { arguments: schema } } } } });
    const { code, stdout, stderr } = await check();
    if (tool === "") expect(code).toBe(1);
    else {
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("the tool is not in the lock");
    }
  });
});

describe("--config", () => {
  const server = hostile("terminal-escapes");
  const [command = "", ...args] = server;
  const client = (member: string) => ({ [member]: { it: { command, args, env: { HOSTILE_TEXT: "before" } } } });

  test("names agentprint's configuration, and --mcp-config a client's", async () => {
    write(client("mcpServers"), "client.json");
    write({ preset: "breaking", servers: { it: { preset: "strict" } } }, "policy.json");
    expect((await workspace.run(["pin", "--mcp-config", "client.json"])).code).toBe(0);
    const run = await workspace.run(["check", "--mcp-config", "client.json", "--config", "policy.json"]);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^note: agentprint\.lock holds no accepted policy[^\n]*\n$/);
  });

  test("refuses a client's configuration", async () => {
    write(client("mcpServers"), "client.json");
    const run = await workspace.run(["check", "--config", "client.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect((await workspace.run(["pin", "--config", "client.json"])).stderr).toContain("--config");
  });
});
