import { readFileSync } from "node:fs";
import { fromPointer } from "@agentprint/canonical-json";
import {
  type AgentSpec,
  checkResume,
  fingerprintSpec,
  type ResumeCheck,
  recordSpec,
  type SpecWarning,
} from "@agentprint/drover";
import type { Change } from "./change.ts";

/** Pauses under one spec and resumes under another. */
export async function resume(before: AgentSpec, after: AgentSpec): Promise<ResumeCheck> {
  const run = { ...recordSpec(before), status: "paused" };
  const storage = { loadRun: async () => JSON.parse(JSON.stringify(run)), loadLatestCheckpoint: async () => ({}) };
  return checkResume({ ...after, id: before.id }, "run_1", { storage });
}

/** Returns whether a warning is about a place; a warning that lists functions must name the place. */
export function isAbout({ path, message }: SpecWarning, place: string): boolean {
  if (place !== path && !place.startsWith(`${path}/`)) return false;
  const names = /functions do is not hashed: (.*)$/.exec(message)?.[1]?.split(", ");
  return names === undefined || names.includes(String(fromPointer(place).at(-1)));
}

/**
 * Returns a change's row: the change, and the fields that drift, or a note that there is a warning about its place or
 * that it is not seen.
 */
export async function rowOf({ what, outcome, before, after }: Change): Promise<[what: string, outcome: string]> {
  const [was, is] = [await before(), await after()];
  const [digestsBefore, digestsAfter] = [was, is].map((spec): Record<string, string> => fingerprintSpec(spec).fields);
  const names = Object.keys({ ...digestsBefore, ...digestsAfter });
  const drifted = names.filter((name) => digestsBefore?.[name] !== digestsAfter?.[name]);
  if (drifted.length > 0) return [what, `drift of ${drifted.map((name) => `\`${name}\``).join(", ")}`];
  const result = await resume(was, is);
  const isWarned = result.ok && "warned" in outcome && result.warnings.some((found) => isAbout(found, outcome.warned));
  return [what, isWarned ? "warning" : "not seen"];
}

export const README: URL = new URL("../../README.md", import.meta.url);

/** Returns the rows of the first table below a heading in the README, without the table's head. */
export function tableBelow(heading: string): string[][] {
  const section = readFileSync(README, "utf8").split(`\n#### ${heading}\n`)[1]?.split("\n#")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
