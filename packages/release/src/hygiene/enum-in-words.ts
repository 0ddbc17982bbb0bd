import type { JsonObject } from "@agentprint/canonical-json";

/** Keywords that already restrict the texts or offer a choice of schemas. */
const NARROWS = ["enum", "const", "pattern", "format", "anyOf", "oneOf", "allOf", "$ref", "if"];

/** A description longer than this number of UTF-16 code units is not searched. */
const MAX_LENGTH = 10_000;

const QUOTED = /"([\w./:-]{1,64})"|'([\w./:-]{1,64})'|`([\w./:-]{1,64})`/g;
const BETWEEN = /^(?:, ?| ?[/|] ?|,? (?:or|and) )$/;
const ALTERNATIVE = /or |\|/;
const INTRODUCES = /(?:one of|either|must be|values?|options|choices|allowed|supported|valid)[^.'"`]{0,30}$/i;
const ONLY_EXAMPLES = /(?:e\.g\.|for example|for instance|such as|examples?|like)[^.;]{0,40}$/i;

/** A quoted word in a description, and its place. */
interface Quoted {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the values that a text parameter's description lists; none if the schema already restricts the texts.
 *
 * The rule is cautious: there are at least two quoted words, joined only by commas, slashes, bars, "or" and "and"; and
 * either two of them are joined by "or" or a bar, or words such as "one of", "must be" or "values" precede them. A list
 * after "such as" or "for example" does not count.
 */
export function listedValues(schema: JsonObject): readonly string[] {
  const { type, description } = schema;
  const isOpen = type === "string" && !NARROWS.some((keyword) => Object.hasOwn(schema, keyword));
  if (!isOpen || typeof description !== "string" || description.length > MAX_LENGTH) return [];
  const found = runsOf(description).find((run) => isList(run, description));
  return found?.map(({ word }) => word) ?? [];
}

/** Returns the adjacent quoted words. */
function runsOf(text: string): Quoted[][] {
  const runs: Quoted[][] = [];
  for (const match of text.matchAll(QUOTED)) {
    const word = match[1] ?? match[2] ?? match[3] ?? "";
    const quoted = { word, start: match.index, end: match.index + match[0].length };
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && BETWEEN.test(text.slice(last.end, quoted.start))) run.push(quoted);
    else runs.push([quoted]);
  }
  return runs;
}

function isList(run: readonly Quoted[], text: string): boolean {
  const [first, ...others] = run;
  if (first === undefined || others.length === 0) return false;
  const before = text.slice(Math.max(0, first.start - 60), first.start);
  const joints = others.map(({ start }, index) => text.slice(run[index]?.end, start));
  return !ONLY_EXAMPLES.test(before) && (joints.some((joint) => ALTERNATIVE.test(joint)) || INTRODUCES.test(before));
}
