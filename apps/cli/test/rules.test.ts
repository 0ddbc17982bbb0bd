import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { VERDICTS } from "@agentprint/manifest";
import { checkLock, createLock, driftToReport } from "@agentprint/mcp-lock";
import { PROBLEM_KINDS } from "@agentprint/trail/chain";
import { STORE_PROBLEM_KINDS } from "@agentprint/trail-store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ISSUE_RULES, WARNING_RULES } from "../src/manifest/issue-rules.ts";
import { ALL_RULES } from "../src/rules/all-rules.ts";
import { Workspace } from "./support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** What makes findings, and how each of these files writes the ids. */
const ID = [
  /ruleId: "([^"]+)"/g,
  /kind\("([^"]+)"/g,
  /\["([a-z-]+)", "(?:error|warning|note)"\]/g,
  /toolFinding\(agent, "([^"]+)"/g,
];
const COMPUTED = [
  ...Object.keys({ ...ISSUE_RULES, ...WARNING_RULES, ...VERDICTS }),
  ...[...PROBLEM_KINDS, ...STORE_PROBLEM_KINDS].map((kind) => `trail/${kind}`),
  ...["item-added", "item-removed"],
];

function sources(): string[] {
  const files = ["apps/cli/src/", "packages/mcp-lock/src/"].flatMap((folder) => {
    return readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" }).map((file) => folder + file);
  });
  const writesIds = (file: string): boolean => /\bruleId:/.test(readFileSync(ROOT + file, "utf8"));
  return files.filter((file) => file.endsWith(".ts") && writesIds(file)).sort();
}

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

describe("every rule that a finding of any command refers to", () => {
  test("is listed, and none is listed that no finding refers to", () => {
    const written = sources().flatMap((file) => {
      const text = readFileSync(ROOT + file, "utf8");
      return ID.flatMap((form) => [...text.matchAll(form)].map(([, id]) => id as string));
    });
    expect([...new Set([...written, ...COMPUTED])].sort()).toEqual([...ALL_RULES.keys()].sort());
  });

  test("comes from a file whose way of writing ids is known here", () => {
    expect(sources()).toEqual([
      "apps/cli/src/capabilities/turns-to-report.ts",
      "apps/cli/src/manifest/diff-report.ts",
      "apps/cli/src/manifest/validation-report.ts",
      "apps/cli/src/spec/spec-report.ts",
      "apps/cli/src/text/comparison-report.ts",
      "apps/cli/src/text/left-out-findings.ts",
      "apps/cli/src/text/tree-report.ts",
      "apps/cli/src/trail/trail-report.ts",
      "packages/mcp-lock/src/drift-findings.ts",
      "packages/mcp-lock/src/remark-findings.ts",
      "packages/mcp-lock/src/server-findings.ts",
    ]);
  });

  test("means what the report of its command says", () => {
    const { rules } = driftToReport(checkLock(createLock({}), {}));
    for (const [id, { summary }] of Object.entries(rules)) {
      expect(ALL_RULES.get(id)).toMatchObject({ summary, command: "agentprint check" });
    }
  });

  test("can be explained, with the command, its help and whether its level can be changed", async () => {
    for (const id of ["tool-prose-changed", "trail/fork", "file-added", "template", "spec-drift", "text-differs"]) {
      const { code, stdout } = await workspace.run(["explain", id]);
      expect({ id, code }).toEqual({ id, code: 0 });
      expect(stdout).toContain(`${id} (${ALL_RULES.get(id)?.command})\n${ALL_RULES.get(id)?.summary}`);
      expect(stdout).toContain("its level is fixed");
    }
    expect((await workspace.run(["explain", "tool_removed"])).stdout).toContain("agentprint.config.json");
  });
});
