import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Rule } from "@agentprint/findings";
import { GUARD_RULES } from "@agentprint/guard/rules";
import { VERDICTS } from "@agentprint/manifest";
import { CHANGE_RULES, ISSUE_RULES, WARNING_RULES } from "@agentprint/manifest/rules";
import { checkLock, createLock } from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { POLICY_RULES, PRESET_NAMES, PRESETS } from "@agentprint/policy";
import { RELEASE_RULES } from "@agentprint/release/rules";
import { SKILL_RULES } from "@agentprint/skills/rules";
import { EVIDENCE_RULES } from "@agentprint/statement/evidence/rules";
import { STATEMENT_RULES } from "@agentprint/statement/rules";
import { PROBLEM_KINDS } from "@agentprint/trail/chain";
import { STORE_PROBLEM_KINDS } from "@agentprint/trail-store";
import { describe, expect, test } from "vitest";
import { CLIENT_RULES, CONFIG_RULES, LOCK_RULES, PERMISSION_RULES } from "../../src/rules/check-rules.ts";
import { decisionsInWords, presetDecisions } from "../../src/rules/preset-decisions.ts";
import { RULES, RuleRegistry } from "../../src/rules/rule-list.ts";
import { rulesPage } from "../../src/rules/rules-page.ts";
import { Workspace } from "../support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const IDS = RULES.list().map(({ id }) => id);

/** Ids that the sources compose from a kind, a layer or a code. */
const COMPUTED = [
  ...[ISSUE_RULES, WARNING_RULES].flatMap(Object.keys),
  ...Object.keys(VERDICTS).map((kind) => `manifest/${kind}`),
  ...[...PROBLEM_KINDS, ...STORE_PROBLEM_KINDS].map((kind) => `trail/${kind}`),
  ...["trail/missing-events", "trail/uncovered-members", "trail/wrong-seal"],
  ...Object.keys(POLICY_RULES),
  ...Object.keys(LOCK_RULES),
  ...Object.keys(CLIENT_RULES),
  ...Object.keys(CONFIG_RULES),
  ...Object.keys(PERMISSION_RULES),
  ...Object.keys(GUARD_RULES),
  ...Object.keys(RELEASE_RULES),
  ...Object.keys(STATEMENT_RULES),
  ...Object.keys(EVIDENCE_RULES),
  ...Object.keys(SKILL_RULES),
  ...["mcp/item-added", "mcp/item-removed", "mcp/era-divergence", "mcp/client-divergence"],
];

/** Returns the ids in the files that create findings. */
function idsInSources(): string[] {
  const domains = ["content-hash", "drover", "mcp-lock", "trail"].map((name) => `packages/${name}/src/findings/`);
  const folders = ["capabilities", "manifest", "spec", "text", "trail"].map((name) => `apps/cli/src/${name}/`);
  return [...folders, ...domains].flatMap((folder) =>
    readdirSync(ROOT + folder)
      .filter((file) => !file.endsWith("-rules.ts"))
      .flatMap(
        (file) => readFileSync(ROOT + folder + file, "utf8").match(/(?<=")[a-z]+\/[a-z]+(?:-[a-z]+)*(?=")/g) ?? [],
      ),
  );
}

describe("what a guard blocks", () => {
  test.each(PRESET_NAMES.flatMap((preset) => RULES.list().map((rule) => [preset, rule.id, rule] as const)))(
    "is an error of a check in %s: %s",
    (preset, id, rule) => {
      const { check, guard } = presetDecisions(rule)[preset];
      // A guard omits new items, such as everything in a list that failed when it was pinned; it never sees clients'
      // lists or the findings of other commands.
      const isSeen =
        decisionsInWords(id, { check, guard }).includes(",") && !["mcp/item-added", "mcp/list-unread"].includes(id);
      if (isSeen && guard === "block") expect(check).toBe("error");
    },
  );
});

describe("the list of rules", () => {
  test("lists exactly the rules that findings refer to", () => {
    expect([...new Set([...idsInSources(), ...COMPUTED])].sort()).toEqual([...IDS].sort());
  });

  test("has the rules that the report of a command refers to", () => {
    const { rules } = driftToReport(checkLock(createLock({}), {}));
    for (const [id, rule] of Object.entries(rules)) {
      expect(RULES.find(id)).toMatchObject({ id, command: "agentprint check", ...rule });
    }
  });

  test("gives each change of a manifest the level of its verdict", () => {
    const levels = { breaking: "error", unclassified: "warning", nonBreaking: "note" };
    for (const [kind, verdict] of Object.entries(VERDICTS)) {
      expect({ kind, level: CHANGE_RULES[`manifest/${kind as keyof typeof VERDICTS}`].level }).toEqual({
        kind,
        level: levels[verdict],
      });
    }
  });

  test("has every rule that a preset names, with a level that counts in strict unless no level is given", () => {
    for (const [id, { check }] of PRESET_NAMES.flatMap((preset) => Object.entries(PRESETS[preset].rules))) {
      expect(RULES.find(id)).toMatchObject({ id, isConfigurable: true });
      if (check !== undefined) expect(RULES.find(id)?.level).not.toBe("note");
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

  test.each([
    ["tool_removed", "manifest/tool_removed"],
    ["tool-removed", "capabilities/tool-removed"],
    ["tool-prose-changed", "mcp/tool-prose-changed"],
    ["era-divergence", "mcp/era-divergence"],
    ["client-divergence", "mcp/client-divergence"],
    ["unstable-member", "mcp/unstable-member"],
    ["name-changed", "capabilities/name-changed"],
    ["fork", "trail/fork"],
    ["UNKNOWN_SCOPE", "manifest/UNKNOWN_SCOPE"],
    ["unknown-scope", undefined],
    ["no-such-rule", undefined],
    ["toString", undefined],
  ])("%s is %s", (given, id) => {
    expect(RULES.find(given)?.id).toBe(id);
  });
});

describe("a registry", () => {
  const rule: Rule = {
    level: "note",
    summary: "Something.",
    help: "Nothing to do.",
    why: "It matters.",
    example: { text: "A thing." },
  };
  const table = (...ids: readonly string[]) => ({
    command: "agentprint test",
    isConfigurable: true,
    rules: Object.fromEntries(ids.map((id) => [id, rule])),
  });

  test.each<[string, string, () => RuleRegistry]>([
    ["an id that is registered twice", "registered twice", () => new RuleRegistry([table("a/b"), table("a/b")])],
    ["an id without a domain", "domain/name", () => new RuleRegistry([table("b")])],
    ["a domain in upper case", "domain/name", () => new RuleRegistry([table("A/b")])],
    ["an id with two domains", "domain/name", () => new RuleRegistry([table("a/b/c")])],
    ["an id with a space", "domain/name", () => new RuleRegistry([table("a/b c")])],
  ])("refuses %s", (_name, message, register) => {
    expect(register).toThrow(message);
  });

  test("finds an id without its domain where only one domain has it", () => {
    const registry = new RuleRegistry([table("a/one", "a/both"), table("b/both")]);
    expect([registry.find("one")?.id, registry.find("both"), registry.find("a")]).toEqual([
      "a/one",
      undefined,
      undefined,
    ]);
  });
});

describe("explain", () => {
  test("prints the command of a rule, its help and whether its level can be changed", async () => {
    using workspace = new Workspace();
    for (const given of ["mcp/tool-prose-changed", "file-added", "trail/fork", "template-changed", "drift"]) {
      const { code, stdout } = await workspace.run(["explain", given]);
      const rule = RULES.find(given);
      expect({ given, code }).toEqual({ given, code: 0 });
      expect(stdout).toContain(`${rule?.id} (${rule?.command})\n${rule?.summary}\n\nWhy it matters: ${rule?.why}\n`);
      expect(stdout).toContain(`Example: ${rule?.example.text}\n`);
      expect(stdout).toContain(`What to do: ${rule?.help}\n`);
    }
    const explained = async (rule: string) => (await workspace.run(["explain", rule])).stdout;
    expect(await explained("manifest/tool_removed")).toContain(
      '{"rules": {"manifest/tool_removed": "error|warning|note|off"}} in agentprint.config.json',
    );
    expect(await explained("tool-prose-changed")).toContain(
      "strict: error, block; compatible: warning, freeze; breaking: note, pass",
    );
    expect(await explained("trail/fork")).toContain("level error; no configuration changes the level");
    expect(await explained("mcp/could-not-tell")).toContain("always an error: a server that could not be read");
    expect(await explained("policy/weakened")).toContain("always an error: a policy does not judge its own weakening");
  });

  test("shows the values of an example, with invisible characters escaped", async () => {
    using workspace = new Workspace();
    const { stdout } = await workspace.run(["explain", "mcp/hint-more-power"]);
    expect(stdout).toContain(
      '  before: {"annotations":{"readOnlyHint":true}}\n  after:  {"annotations":{"readOnlyHint":false}}\n',
    );
    expect((await workspace.run(["explain", "mcp/hidden-text"])).stdout).toContain("Reads a file\\u{e0041}\\u{e0042}");
  });

  test("has a reason and an example for every rule, in sentences", () => {
    for (const { id, summary, why, help, example } of RULES.list()) {
      for (const text of [summary, why, help, example.text])
        expect({ id, text }).toEqual({ id, text: expect.stringMatching(/^["a-z_A-Z$`].*\.$/) });
    }
  });

  test("reports that there is no such rule", async () => {
    using workspace = new Workspace();
    expect(await workspace.run(["explain", "nothing"])).toMatchObject({ code: 2, stdout: "" });
  });
});
