import { compareCodeUnits, hashCanonical, isJsonObject } from "@agentprint/canonical-json";
import type { LockedTool } from "../lock/lock.ts";
import { toolLayers } from "../tool/tool-layers.ts";

/** A tool that is gone and a new one that is likely the same. */
export interface RenamedTool {
  readonly before: LockedTool;
  readonly after: LockedTool;
  readonly similarity: number;
}

/** How much two tools must have in common to be told as a rename. */
const THRESHOLD = 0.6;
/** Most pairs that are compared word by word; beyond it only tools that are equal but for the name are matched. */
const MAX_PAIRS = 10_000;
/** Most parameters of a tool that are looked at. */
const MAX_PARAMETERS = 1000;

/**
 * Pairs removed with added tools, each at most once, the most similar first; ties go to the smaller names.
 *
 * Tools that are equal but for their name match before all others.
 */
export function matchRenames(removed: readonly LockedTool[], added: readonly LockedTool[]): RenamedTool[] {
  const exact = matchExact(removed, added);
  const taken = new Set(exact.flatMap(({ before, after }) => [before, after]));
  const old = removed.filter((tool) => !taken.has(tool));
  const now = added.filter((tool) => !taken.has(tool));
  return old.length * now.length > MAX_PAIRS ? exact : [...exact, ...matchSimilar(old, now)];
}

function matchExact(removed: readonly LockedTool[], added: readonly LockedTool[]): RenamedTool[] {
  const byRest = new Map<string, LockedTool[]>();
  for (const tool of added) {
    const digest = digestWithoutName(tool);
    const same = byRest.get(digest);
    if (same === undefined) byRest.set(digest, [tool]);
    else same.push(tool);
  }
  return removed.flatMap((before) => {
    const after = byRest.get(digestWithoutName(before))?.shift();
    return after === undefined ? [] : [{ before, after, similarity: 1 }];
  });
}

function digestWithoutName({ definition }: LockedTool): string {
  const { name: _name, ...rest } = definition;
  return hashCanonical(rest);
}

function matchSimilar(removed: readonly LockedTool[], added: readonly LockedTool[]): RenamedTool[] {
  const old = removed.map(featuresOf);
  const now = added.map(featuresOf);
  const pairs = old
    .flatMap((before) => now.map((after) => ({ before, after, similarity: similarityOf(before, after) })))
    .filter(({ similarity }) => similarity >= THRESHOLD)
    .sort(
      (a, b) =>
        b.similarity - a.similarity ||
        compareCodeUnits(a.before.name, b.before.name) ||
        compareCodeUnits(a.after.name, b.after.name),
    );
  const taken = new Set<Features>();
  return pairs.flatMap(({ before, after, similarity }) => {
    if (taken.has(before) || taken.has(after)) return [];
    taken.add(before).add(after);
    return [{ before: before.tool, after: after.tool, similarity }];
  });
}

interface Features {
  readonly tool: LockedTool;
  readonly name: string;
  readonly schemas: string;
  readonly parameters: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly nameWords: ReadonlySet<string>;
}

function featuresOf(tool: LockedTool): Features {
  const { name: rawName, title, description, inputSchema } = tool.definition;
  const name = String(rawName);
  const { name: _name, ...schemas } = toolLayers(tool.definition).contract;
  const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  return {
    tool,
    name,
    schemas: hashCanonical(schemas),
    parameters: new Set(isJsonObject(properties) ? Object.keys(properties).slice(0, MAX_PARAMETERS) : []),
    words: wordsOf(`${typeof title === "string" ? title : ""} ${typeof description === "string" ? description : ""}`),
    nameWords: wordsOf(name),
  };
}

/** Words of the first 4096 characters: enough to recognise a text, little enough to compare many. */
function wordsOf(text: string): Set<string> {
  const spaced = text.slice(0, 4096).replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return new Set(spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The mean of what the parameters, the words of the texts and the words of the names have in common. */
function similarityOf(a: Features, b: Features): number {
  const parameters = a.schemas === b.schemas ? 1 : overlap(a.parameters, b.parameters);
  return (parameters + overlap(a.words, b.words) + overlap(a.nameWords, b.nameWords)) / 3;
}

/** The Jaccard index of two sets; two empty sets have everything in common. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const item of a) if (b.has(item)) common++;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}
