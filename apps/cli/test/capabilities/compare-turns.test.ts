import { writeFileSync } from "node:fs";
import {
  type CapabilitySnapshot,
  type Composable,
  computeFullCapabilityLink,
  createCapabilitySnapshot,
  createRegisteredAgent,
  dynamicToolkit,
  jsonSchema,
  type StandardSchema,
  tool,
  toolkit,
} from "@agentprint/agent-capabilities";
import { type JudgedReport, judgeReport } from "@agentprint/findings";
import { describe, expect, test } from "vitest";
import { compareTurns } from "../../src/capabilities/compare-turns.ts";
import { readTurn, type Turn } from "../../src/capabilities/read-turn.ts";
import { turnsToReport } from "../../src/capabilities/turns-report.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const OPAQUE: StandardSchema = { "~standard": { vendor: "lib", version: 1, validate: (value) => ({ value }) } };

function named(name: string, inputSchema: StandardSchema = jsonSchema({ type: "string" })) {
  return tool({ name, description: "Reads a file", inputSchema, handler: () => "" });
}

async function snapshotOf(root: Composable): Promise<CapabilitySnapshot> {
  const agent = createRegisteredAgent({ agentId: "a", name: "Files", root });
  return createCapabilitySnapshot(await computeFullCapabilityLink({ agent, ctx: { env: {} } }));
}

/** Turns in the format that the command reads. */
async function turns(...values: readonly unknown[]): Promise<[Turn, Turn]> {
  using workspace = new Workspace();
  const read = values.map((value, index) => {
    const file = workspace.path(`${index}.json`);
    writeFileSync(file, JSON.stringify(value));
    return readTurn(memoryContext(), file);
  });
  return (await Promise.all(read)) as [Turn, Turn];
}

async function reportOn(before: unknown, after: unknown): Promise<JudgedReport> {
  const [first, second] = await turns(before, after);
  return judgeReport(turnsToReport(first, second, compareTurns(first, second)));
}

const withInstruction = (line: string): Composable =>
  dynamicToolkit({ name: "d", create: () => [toolkit([named("t")], { name: "made", instructions: [line] })] });

describe("two snapshots under one link", () => {
  test("are never the same when their definitions differ", async () => {
    const snapshot = await snapshotOf(named("read"));
    const edited = {
      ...snapshot,
      tools: snapshot.tools.map((wire) => ({ ...wire, description: "Deletes all files" })),
    };
    for (const [values, ids] of [
      [
        [snapshot, edited],
        ["capabilities/definition-digest-mismatch", "capabilities/tool-changed"],
      ],
      [
        [edited, snapshot],
        ["capabilities/definition-digest-mismatch", "capabilities/tool-changed"],
      ],
      [
        [edited, edited],
        ["capabilities/definition-digest-mismatch", "capabilities/definition-digest-mismatch"],
      ],
      [[edited, snapshot.link], ["capabilities/definition-digest-mismatch"]],
    ] as const) {
      const report = await reportOn(values[0], values[1]);
      expect(report.outcome).toBe("drift");
      expect(report.findings.map(({ rule }) => rule).sort()).toEqual(ids);
      expect(report.summary).toContain("A snapshot contradicts its own link");
    }
    expect((await reportOn(snapshot, snapshot)).outcome).toBe("same");
  });

  test("differ where the instructions for the model differ at run time, and the texts are shown", async () => {
    const [kind, rude] = [await snapshotOf(withInstruction("Be kind.")), await snapshotOf(withInstruction("Be rude."))];
    const report = await reportOn(kind, rude);
    expect(report).toMatchObject({
      outcome: "drift",
      findings: [{ rule: "capabilities/instructions-changed", before: "Be kind.", after: "Be rude." }],
    });
    const links = await reportOn(kind.link, rude.link);
    expect(links.findings).toMatchObject([
      { rule: "capabilities/instructions-changed", before: kind.link.instructionsHash },
    ]);
    const edited = { ...kind, instructions: "Be rude." };
    expect(await reportOn(kind, edited)).toMatchObject({
      outcome: "drift",
      findings: [{ rule: "capabilities/definition-digest-mismatch", place: { pointer: "/instructionsHash" } }],
    });
    const { instructionsHash: _, ...older } = kind.link;
    expect(await reportOn(kind.link, older)).toMatchObject({
      outcome: "unknown",
      findings: [{ rule: "capabilities/instructions-changed", couldNotTell: true }],
    });
  });

  test("contradict themselves in a runtime hash too", async () => {
    const { link, ...rest } = await snapshotOf(named("read"));
    const forged = { ...rest, link: { ...link, runtimeHash: "0".repeat(64) } };
    const { differs, details } = compareTurns(...(await turns(forged, forged)));
    expect(differs).toBe(true);
    expect(details).toEqual([
      expect.stringMatching(/^The runtime hash in .*0\.json does not match its tools\.$/),
      expect.stringMatching(/^The runtime hash in .*1\.json does not match its tools\.$/),
    ]);
  });
});

describe("a tool with an opaque schema", () => {
  test("leaves every comparison open, of links and of snapshots", async () => {
    const snapshot = await snapshotOf(toolkit([named("shut", OPAQUE), named("read")], { name: "k" }));
    const { opaqueSchemas: _, ...stripped } = { ...snapshot, link: { ...snapshot.link, opaqueSchemas: [] } };
    for (const values of [
      [snapshot, snapshot],
      [snapshot.link, snapshot.link],
      [stripped, snapshot.link],
      [stripped, stripped],
    ]) {
      const report = await reportOn(values[0], values[1]);
      expect(report).toMatchObject({
        outcome: "unknown",
        findings: [{ rule: "capabilities/opaque-schema", place: { subject: "Files › shut" }, couldNotTell: true }],
        data: { relationship: "cannot-tell", opaqueSchemas: ["shut"] },
      });
    }
    const other = await reportOn(snapshot, await snapshotOf(named("read")));
    expect(other.outcome).toBe("unknown");
    expect(other.findings.map(({ rule }) => rule)).toEqual([
      "capabilities/template-changed",
      "capabilities/opaque-schema",
      "capabilities/tool-removed",
    ]);
  });

  test("ends both commands with exit code 2", async () => {
    using workspace = new Workspace();
    writeFileSync(workspace.path("a.json"), JSON.stringify(await snapshotOf(named("shut", OPAQUE))));
    for (const command of ["diff", "explain"]) {
      const run = await workspace.run(["capabilities", command, "a.json", "a.json"]);
      expect(run).toMatchObject({ code: 2, stderr: "" });
      expect(run.stdout).toContain("cannot be told");
    }
  });
});
