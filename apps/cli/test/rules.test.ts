import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERDICTS } from "@agentprint/manifest";
import { checkLock, createLock } from "@agentprint/mcp-lock";
import type { Report, Rule } from "@agentprint/report";
import { PROBLEM_KINDS } from "@agentprint/trail/chain";
import { STORE_PROBLEM_KINDS } from "@agentprint/trail-store";
import { describe, expect, test } from "vitest";
import { driftToReport } from "../src/report/drift-report.ts";
import { CHANGE_RULES } from "../src/rules/manifest-change-rules.ts";
import { ISSUE_RULES, manifestRuleId, WARNING_RULES } from "../src/rules/manifest-rules.ts";
import { OLD_RULE_IDS } from "../src/rules/old-rule-ids.ts";
import { applyRuleConfig, readRuleConfig } from "../src/rules/rule-config.ts";
import { RULES } from "../src/rules/rule-list.ts";
import { RuleRegistry } from "../src/rules/rule-registry.ts";
import { rulesPage } from "../src/rules/rules-page.ts";
import { memoryContext } from "./support/run-cli.ts";
import { Workspace } from "./support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const IDS = RULES.list().map(({ id }) => id);

/** Ids that the sources put together from a kind, a layer or a code. */
const COMPUTED = [
  ...[ISSUE_RULES, WARNING_RULES].flatMap(Object.keys),
  ...Object.keys(VERDICTS).map(manifestRuleId),
  ...[...PROBLEM_KINDS, ...STORE_PROBLEM_KINDS].map((kind) => `trail/${kind}`),
  ...["mcp/item-added", "mcp/item-removed", "mcp/era-divergence", "mcp/client-divergence"],
  ...["mcp/prose-signal", "mcp/look-alike-name", "mcp/hidden-text", "mcp/missing-hints"],
  ...["mcp/floating-version", "mcp/unknown-launcher"],
];

/** The ids that the files which make findings name. */
function idsInSources(): string[] {
  return ["apps/cli/src/report/", "packages/mcp-lock/src/findings/"].flatMap((folder) =>
    readdirSync(ROOT + folder)
      .filter((file) => !file.endsWith("-rules.ts"))
      .flatMap(
        (file) => readFileSync(ROOT + folder + file, "utf8").match(/(?<=")[a-z]+\/[a-z]+(?:-[a-z]+)*(?=")/g) ?? [],
      ),
  );
}

describe("the list of rules", () => {
  test("has every rule that a finding refers to, and no other", () => {
    expect([...new Set([...idsInSources(), ...COMPUTED])].sort()).toEqual([...IDS].sort());
  });

  test("is what the report of a command refers to", () => {
    const { rules } = driftToReport(checkLock(createLock({}), {}));
    for (const [id, rule] of Object.entries(rules)) {
      expect(RULES.find(id)).toEqual({ id, command: "agentprint check", isConfigurable: false, ...rule });
    }
  });

  test("gives each change of a manifest the level of its verdict", () => {
    const levels = { breaking: "error", unclassified: "warning", nonBreaking: "note" };
    for (const [kind, verdict] of Object.entries(VERDICTS)) {
      expect({ kind, level: CHANGE_RULES[manifestRuleId(kind as keyof typeof VERDICTS)].level }).toEqual({
        kind,
        level: levels[verdict],
      });
    }
  });

  test("is the page of the documentation", async () => {
    await expect(rulesPage(RULES.list())).toMatchFileSnapshot(`${ROOT}docs/RULES.md`);
  });
});

describe("a rule is found", () => {
  test("by its id", () => {
    for (const id of IDS) expect(RULES.find(id)?.id).toBe(id);
  });

  test("by the id that it had before", () => {
    for (const [old, id] of Object.entries(OLD_RULE_IDS)) expect({ old, id: RULES.find(old)?.id }).toEqual({ old, id });
  });

  test.each([
    ["tool_removed", "manifest/tool-removed"],
    ["tool-removed", "capabilities/tool-removed"],
    ["UNKNOWN_SCOPE", "manifest/unknown-scope"],
    ["tool-prose-changed", "mcp/tool-prose-changed"],
    ["era-divergence", "mcp/era-divergence"],
    ["client-divergence", "mcp/client-divergence"],
    ["unstable-member", "mcp/unstable-member"],
    ["name", "capabilities/name-changed"],
    ["spec-drift", "spec/drift"],
    ["text-differs", "text/differs"],
    ["fork", "trail/fork"],
    ["unknown-scope", "manifest/unknown-scope"],
    ["no-such-rule", undefined],
    ["toString", undefined],
  ])("%s is %s", (given, id) => {
    expect(RULES.find(given)?.id).toBe(id);
  });
});

describe("a registry", () => {
  const rule: Rule = { level: "note", summary: "Something.", help: "Nothing has to be done." };
  const table = (...ids: readonly string[]) => ({
    command: "agentprint test",
    isConfigurable: true,
    rules: Object.fromEntries(ids.map((id) => [id, rule])),
  });

  test.each<[string, string, () => RuleRegistry]>([
    ["an id that is registered twice", "registered twice", () => new RuleRegistry([table("a/b"), table("a/b")], {})],
    ["an id without a domain", "domain/kebab-case", () => new RuleRegistry([table("b")], {})],
    ["an id in upper case", "domain/kebab-case", () => new RuleRegistry([table("a/B")], {})],
    ["an id with an underscore", "domain/kebab-case", () => new RuleRegistry([table("a/b_c")], {})],
    ["an old id that leads nowhere", "which is no rule", () => new RuleRegistry([table("a/b")], { b: "a/c" })],
    ["an old id that is an id", "is the id of a rule", () => new RuleRegistry([table("a/b", "a/c")], { "a/b": "a/c" })],
  ])("refuses %s", (_name, message, register) => {
    expect(register).toThrow(message);
  });

  test("finds an id without its domain where only one domain has it", () => {
    const registry = new RuleRegistry([table("a/one", "a/both"), table("b/both")], {});
    expect([registry.find("one")?.id, registry.find("both"), registry.find("a")]).toEqual([
      "a/one",
      undefined,
      undefined,
    ]);
  });
});

describe("a configuration", () => {
  async function read(config: object): ReturnType<typeof readRuleConfig> {
    const folder = mkdtempSync(join(tmpdir(), "agentprint-rules-"));
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify(config));
    try {
      return await readRuleConfig(memoryContext(), file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const ignore = { until: "2999-12-31", reason: "agreed" };
  const report: Report = {
    command: "agentprint manifest diff",
    title: "agentprint manifest diff",
    summary: "1 breaking",
    outcome: "drift",
    findings: [
      {
        rule: "manifest/tool-removed",
        level: "error",
        message: "a tool is gone",
        place: { subject: "b.json", pointer: "/tools/0" },
      },
    ],
    rules: CHANGE_RULES,
    checked: ["b.json"],
    data: {},
  };

  test.each(["manifest/tool-removed", "tool_removed"])("changes and ignores findings of %s", async (rule) => {
    const leveled = applyRuleConfig(report, await read({ rules: { [rule]: "note" } }), "warning");
    expect([leveled.outcome, leveled.findings[0]?.level]).toEqual(["same", "note"]);
    const ignored = applyRuleConfig(report, await read({ ignores: [{ rule, ...ignore }] }), "warning");
    expect([ignored.outcome, ignored.findings]).toEqual(["same", []]);
    const elsewhere = await read({ ignores: [{ rule, path: "/tools/1", ...ignore }] });
    expect(applyRuleConfig(report, elsewhere, "warning").outcome).toBe("drift");
  });

  test("is told where it names a rule by another id than it has now, once", async () => {
    const { notices } = await read({ rules: { tool_removed: "note" }, ignores: [{ rule: "tool_removed", ...ignore }] });
    expect(notices).toEqual([
      expect.stringMatching(/config\.json names the rule manifest\/tool-removed by another id, tool_removed$/),
    ]);
    expect((await read({ rules: { "manifest/tool-removed": "note" } })).notices).toEqual([]);
  });

  test.each<[string, object]>([
    ["a rule that is none", { rules: { nothing: "off" } }],
    ["a rule whose level is fixed, by its old id", { ignores: [{ rule: "UNKNOWN_SCOPE", ...ignore }] }],
    ["two levels of one rule", { rules: { tool_removed: "note", "manifest/tool-removed": "off" } }],
  ])("is refused for %s", async (_name, config) => {
    await expect(read(config)).rejects.toMatchObject({ code: "invalid-config" });
  });

  test("gives one rule one level under two ids", async () => {
    const { rules } = await read({ rules: { tool_removed: "note", "manifest/tool-removed": "note" } });
    expect(rules).toEqual({ "manifest/tool-removed": "note" });
  });

  test("with old ids works on the command line, with a note", async () => {
    using workspace = new Workspace();
    await workspace.run(["manifest", "init", "a.json"]);
    writeFileSync(workspace.path("agentprint.config.json"), JSON.stringify({ rules: { tool_removed: "note" } }));
    const { stderr } = await workspace.run(["manifest", "validate", "a.json"]);
    expect(stderr).toContain("note: agentprint.config.json names the rule manifest/tool-removed by another id");
  });
});

describe("explain", () => {
  test("tells of a rule its command, its help and whether its level can be changed", async () => {
    using workspace = new Workspace();
    for (const given of ["mcp/tool-prose-changed", "file-added", "trail/fork", "template", "spec-drift"]) {
      const { code, stdout } = await workspace.run(["explain", given]);
      const rule = RULES.find(given);
      expect({ given, code }).toEqual({ given, code: 0 });
      expect(stdout).toContain(`${rule?.id} (${rule?.command})\n${rule?.summary}\n${rule?.help}\n`);
      expect(stdout).toContain("level error; no configuration changes the level");
    }
    expect((await workspace.run(["explain", "tool_removed"])).stdout).toContain(
      '{"rules": {"manifest/tool-removed": "error|warning|note|off"}} in agentprint.config.json',
    );
  });

  test("says that there is no such rule", async () => {
    using workspace = new Workspace();
    expect(await workspace.run(["explain", "nothing"])).toMatchObject({ code: 2, stdout: "" });
  });
});
