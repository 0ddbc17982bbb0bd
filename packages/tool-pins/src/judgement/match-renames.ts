import { canonicalText, isJsonObject } from "@agentprint/canonical-json";
import { pairEqual } from "../changes/pair-equal.ts";
import { MAX_PARAMETERS, MAX_RENAME_PAIRS, MAX_WORDS_LENGTH } from "../limits.ts";
import { unicodeExpression } from "../signals/unicode-expression.ts";
import { toolLayers } from "../tool/tool-layers.ts";
import { type FingerprintedTool, nameOfTool } from "./tool-drift.ts";

/** A removed tool and an added tool that are, probably or by declaration, the same tool under two names. */
export interface Rename {
  readonly before: FingerprintedTool;
  readonly after: FingerprintedTool;
  /** From 0 to 1. */
  readonly similarity: number;
  /** Present if the tools differ only in their names. */
  readonly isEqual?: true;
  /** Present if the server's author declares the rename. */
  readonly isDeclared?: true;
}

/** Pairs removed tools with added ones, both sorted by name; each tool is in at most one pair. */
export type MatchRenames = (removed: readonly FingerprintedTool[], added: readonly FingerprintedTool[]) => Rename[];

/** The minimum similarity at which two tools are reported as a rename. */
const THRESHOLD = 0.6;

/** Pairs tools that differ only in their names. */
export function equalRenames(removed: readonly FingerprintedTool[], added: readonly FingerprintedTool[]): Rename[] {
  return pairEqual(removed, added).map(([before, after]) => ({ before, after, similarity: 1, isEqual: true }));
}

/** Adds likely renames to the known ones, the most similar tools first and equally similar pairs by name. */
export function withLikely(
  known: readonly Rename[],
  removed: readonly FingerprintedTool[],
  added: readonly FingerprintedTool[],
): Rename[] {
  const taken = new Set(known.flatMap(({ before, after }) => [before, after]));
  const isLeft = (tool: FingerprintedTool): boolean => !taken.has(tool);
  const [leftRemoved, leftAdded] = [removed.filter(isLeft), added.filter(isLeft)];
  const isTooMuch = leftRemoved.length * leftAdded.length > MAX_RENAME_PAIRS;
  return isTooMuch ? [...known] : [...known, ...matchSimilar(leftRemoved, leftAdded)];
}

function matchSimilar(removed: readonly FingerprintedTool[], added: readonly FingerprintedTool[]): Rename[] {
  const featuresAdded = added.map(featuresOf);
  const pairs = removed
    .map(featuresOf)
    .flatMap((before) => featuresAdded.map((after) => ({ before, after, similarity: similarity(before, after) })))
    .filter(({ similarity }) => similarity >= THRESHOLD)
    // Equally similar pairs stay in the order of their names.
    .sort((a, b) => b.similarity - a.similarity);
  const taken = new Set<Features>();
  return pairs.flatMap(({ before, after, similarity }) => {
    if (taken.has(before) || taken.has(after)) return [];
    taken.add(before).add(after);
    return [{ before: before.tool, after: after.tool, similarity }];
  });
}

interface Features {
  readonly tool: FingerprintedTool;
  readonly schemas: string;
  readonly parameters: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly nameWords: ReadonlySet<string>;
}

function featuresOf(tool: FingerprintedTool): Features {
  const { title, description, inputSchema } = tool.definition;
  const { name: _name, ...schemas } = toolLayers(tool.definition).contract;
  const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  return {
    tool,
    schemas: canonicalText(schemas),
    parameters: new Set(isJsonObject(properties) ? Object.keys(properties).slice(0, MAX_PARAMETERS) : []),
    words: wordsOf(`${typeof title === "string" ? title : ""} ${typeof description === "string" ? description : ""}`),
    nameWords: wordsOf(nameOfTool(tool)),
  };
}

const WORDS = unicodeExpression("[\\p{L}\\p{N}]+", "gu");

function wordsOf(text: string): Set<string> {
  const spaced = text.slice(0, MAX_WORDS_LENGTH).replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return new Set(spaced.toLowerCase().match(WORDS()) ?? []);
}

/** Returns how similar two tools are, from 0 to 1. */
export function similarityOf(before: FingerprintedTool, after: FingerprintedTool): number {
  return similarity(featuresOf(before), featuresOf(after));
}

/** Returns the mean of three similarities: of parameters, of words in texts, and of words in names. */
function similarity(a: Features, b: Features): number {
  const parameters = a.schemas === b.schemas ? 1 : overlap(a.parameters, b.parameters);
  return (parameters + overlap(a.words, b.words) + overlap(a.nameWords, b.nameWords)) / 3;
}

/** Returns the Jaccard index of two sets; two empty sets have everything in common. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((item) => b.has(item)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}
