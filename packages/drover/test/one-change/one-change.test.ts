import { readFileSync } from "node:fs";
import { fromPointer } from "@agentprint/canonical-json";
import { type AgentSpec, checkResume, fingerprintSpec, hashSpec, type SpecWarning } from "@agentprint/drover";
import { describe, expect, test } from "vitest";
import { aiSdkChanges } from "./ai-sdk.ts";
import type { Change } from "./change.ts";
import { langGraphChanges } from "./langgraph.ts";
import { openAiChanges } from "./openai-agents.ts";
import { rawChanges } from "./raw-specs.ts";

const TABLES: readonly (readonly [name: string, changes: readonly Change[]])[] = [
  ["Specs", rawChanges],
  ["OpenAI Agents", openAiChanges],
  ["AI SDK", aiSdkChanges],
  ["LangGraph", langGraphChanges],
];

/** Pauses under one spec and resumes under another. */
async function resume(before: AgentSpec, after: AgentSpec) {
  const run = {
    agentId: before.id,
    status: "paused",
    specHash: hashSpec(before),
    specFingerprint: JSON.parse(JSON.stringify(fingerprintSpec(before))),
  };
  const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({}) };
  return checkResume({ ...after, id: before.id }, "run_1", { storage });
}

/** Whether a warning is about a place: one that lists functions must name it. */
function isAbout({ path, message }: SpecWarning, place: string): boolean {
  if (place !== path && !place.startsWith(`${path}/`)) return false;
  const names = /functions do is not hashed: (.*)$/.exec(message)?.[1]?.split(", ");
  return names === undefined || names.includes(String(fromPointer(place).at(-1)));
}

describe.each(TABLES)("%s: of one change", (_name, changes) => {
  const directions = changes.flatMap((change) => [
    change,
    { ...change, what: `${change.what}, the other way round`, before: change.after, after: change.before },
  ]);

  test.each(directions)("$what", async ({ outcome, before, after }) => {
    const recorded = await before();
    expect(await resume(recorded, await before())).toMatchObject({ ok: true });
    const current = await after();
    const result = await resume(recorded, current);
    if ("seen" in outcome) {
      const [was, is] = [fingerprintSpec(recorded).fields, fingerprintSpec(current).fields] as Record<string, string>[];
      expect(was?.[outcome.seen]).not.toBe(is?.[outcome.seen]);
      if (outcome.seen !== "id") expect(result).toMatchObject({ ok: false, error: { code: "spec-drift" } });
    } else {
      const warnings = result.ok ? result.warnings : [];
      expect(warnings.filter((warning) => isAbout(warning, outcome.warned))).not.toEqual([]);
    }
  });

  test("is in the table once", () => {
    expect(new Set(changes.map(({ what }) => what)).size).toBe(changes.length);
  });
});

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The rows of the first table below a heading, without its head. */
function tableBelow(heading: string): string[][] {
  const section = readme.split(`\n#### ${heading}\n`)[1]?.split("\n#")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

test.each(TABLES)("%s: the README has a row for every change", (name, changes) => {
  expect(tableBelow(name)).toEqual(
    changes.map(({ what, outcome }) => [what, "seen" in outcome ? `drift of \`${outcome.seen}\`` : "warning"]),
  );
});
