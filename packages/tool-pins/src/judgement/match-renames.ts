import { compareCodeUnits, hashCanonical, isJsonObject } from "@agentprint/canonical-json";
import { MAX_PARAMETERS, MAX_RENAME_PAIRS, MAX_WORDS_LENGTH } from "../limits.ts";
import { toolLayers } from "../tool/tool-layers.ts";
import { type FingerprintedTool, nameOfTool } from "./tool-drift.ts";

/** A removed tool and an added tool that are one tool under two names, likely or as declared. */
export interface Rename {
  readonly before: FingerprintedTool;
  readonly after: FingerprintedTool;
  readonly similarity: number;
  /** Present where the author of the server declares the rename. */
  readonly isDeclared?: true;
}

/** The similarity from which two tools are reported as a rename. */
const THRESHOLD = 0.6;

/** The names of tools before and after a rename. */
export type Renames = ReadonlyMap<string, string>;

/**
 * Pairs removed with added tools, each at most once, the most similar first; of pairs with one similarity the smaller
 * names come first.
 *
 * Declared renames are matched before tools that differ in nothing but their name, and these before all others.
 *
 * @param declared The renames that the author of the server declares; a tool can have been renamed several times
 */
export function matchRenames(
  removed: readonly FingerprintedTool[],
  added: readonly FingerprintedTool[],
  declared: Renames = new Map(),
): Rename[] {
  const own = matchDeclared(removed, added, declared);
  const isDeclared = new Set(own.flatMap(({ before, after }) => [before, after]));
  const isLeft = (tool: FingerprintedTool): boolean => !isDeclared.has(tool);
  return [...own, ...matchLikely(removed.filter(isLeft), added.filter(isLeft))];
}

function matchDeclared(
  removed: readonly FingerprintedTool[],
  added: readonly FingerprintedTool[],
  declared: Renames,
): Rename[] {
  if (declared.size === 0) return [];
  const open = new Map(added.map((tool) => [nameOfTool(tool), tool]));
  return removed.flatMap((before): Rename[] => {
    const name = newestName(nameOfTool(before), declared, open);
    const after = name === undefined ? undefined : open.get(name);
    if (name === undefined || after === undefined) return [];
    open.delete(name);
    const isExact = digestWithoutName(before) === digestWithoutName(after);
    const similarity = isExact ? 1 : similarityOf(featuresOf(before), featuresOf(after));
    return [{ before, after, similarity, isDeclared: true }];
  });
}

/** The first name of an added tool that declared renames lead to. */
function newestName(name: string, declared: Renames, added: ReadonlyMap<string, unknown>): string | undefined {
  const seen = new Set([name]);
  for (let next = declared.get(name); next !== undefined && !seen.has(next); next = declared.get(next)) {
    if (added.has(next)) return next;
    seen.add(next);
  }
  return undefined;
}

function matchLikely(removed: readonly FingerprintedTool[], added: readonly FingerprintedTool[]): Rename[] {
  const exact = matchExact(removed, added);
  const taken = new Set(exact.flatMap(({ before, after }) => [before, after]));
  const leftRemoved = removed.filter((tool) => !taken.has(tool));
  const leftAdded = added.filter((tool) => !taken.has(tool));
  return leftRemoved.length * leftAdded.length > MAX_RENAME_PAIRS
    ? exact
    : [...exact, ...matchSimilar(leftRemoved, leftAdded)];
}

function matchExact(removed: readonly FingerprintedTool[], added: readonly FingerprintedTool[]): Rename[] {
  const byRest = new Map<string, FingerprintedTool[]>();
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

function digestWithoutName({ definition }: FingerprintedTool): string {
  const { name: _name, ...rest } = definition;
  return hashCanonical(rest);
}

function matchSimilar(removed: readonly FingerprintedTool[], added: readonly FingerprintedTool[]): Rename[] {
  const featuresAdded = added.map(featuresOf);
  const pairs = removed
    .map(featuresOf)
    .flatMap((before) => featuresAdded.map((after) => ({ before, after, similarity: similarityOf(before, after) })))
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
  readonly tool: FingerprintedTool;
  readonly name: string;
  readonly schemas: string;
  readonly parameters: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly nameWords: ReadonlySet<string>;
}

function featuresOf(tool: FingerprintedTool): Features {
  const { title, description, inputSchema } = tool.definition;
  const name = nameOfTool(tool);
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

function wordsOf(text: string): Set<string> {
  const spaced = text.slice(0, MAX_WORDS_LENGTH).replace(/([a-z0-9])([A-Z])/g, "$1 $2");
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
