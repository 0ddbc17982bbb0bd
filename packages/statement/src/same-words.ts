import { canonicalize, compareCodeUnits, isJsonObject, type JsonValue } from "@agentprint/canonical-json";
import { ITEMS, itemName } from "@agentprint/mcp";
import type { LockedServer, LockedTool } from "@agentprint/mcp-lock";

/** The names of members and types that define what a schema accepts. */
const SCHEMA_WORDS: ReadonlySet<string> = new Set(
  `$anchor $defs $dynamicAnchor $dynamicRef $id $ref $schema additionalItems additionalProperties allOf anyOf array boolean
  const contains definitions dependencies dependentRequired dependentSchemas else enum exclusiveMaximum exclusiveMinimum
  format if integer items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties
  minimum multipleOf not null number object oneOf pattern patternProperties prefixItems properties propertyNames required
  string then type unevaluatedItems unevaluatedProperties uniqueItems`.split(/\s+/),
);

/**
 * Returns whether a server is reached in the same way in two states, by the same client and in the same sessions.
 *
 * @param before The server as it was accepted
 * @param after The server now
 */
export function hasSameSurroundings(before: LockedServer, after: LockedServer): boolean {
  const around = (entry: LockedServer) => {
    const { launch, files, coverage, artifacts, auth, client, clientCapabilities, sessions, unstable, varies } = entry;
    const given = { launch, files, coverage, artifacts, auth, client, clientCapabilities, sessions, unstable, varies };
    return canonicalize(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  };
  return around(before) === around(after);
}

/**
 * Returns whether a model reads nothing new: the same items under the same names, with equal prose, hints and other
 * members, and in each tool's schemas no name and no text that the tool did not have before. Apart from the server's
 * version, the parts of a greeting are equal.
 *
 * @param before The server as it was accepted
 * @param after The server now
 */
export function hasSameWords(before: LockedServer, after: LockedServer): boolean {
  const lists = Object.values(ITEMS).map(({ list }) => list);
  const others = lists.filter((list) => list !== "tools") as Exclude<(typeof lists)[number], "tools">[];
  const isSame = others.every(
    (list) => textOf(before[list].map(({ digest }) => digest)) === textOf(after[list].map(({ digest }) => digest)),
  );
  return isSame && sameParts(before, after) && sameTools(before.tools, after.tools);
}

/**
 * Returns whether the parts of two states are the same. The greeting and the server info contain the version, which may
 * change only in digits and dots. A parsed lock has each value's members in a different order from the server's, and
 * the parts of several sessions are ordered by digests that the version changes.
 */
function sameParts({ parts: before }: LockedServer, { parts: after }: LockedServer): boolean {
  const words = (parts: LockedServer["parts"]) => textOf(parts.map(withoutVersion).sort(compareCodeUnits));
  return words(before) === words(after);
}

/** Returns a part's canonical text without a version that consists of digits and dots. */
function withoutVersion({ part, value, seenBy = [] }: LockedServer["parts"][number]): string {
  if (part !== "serverInfo" || !isJsonObject(value)) return canonicalize([part, value, [...seenBy]]);
  const { version, ...rest } = value;
  const isPlain = typeof version === "string" && /^[0-9.]{1,32}$/.test(version);
  return canonicalize([part, isPlain ? rest : value, [...seenBy]]);
}

/**
 * Returns whether tools have the same words. Sessions may see two definitions of one name, ordered by digests that a
 * patch changes.
 */
function sameTools(before: readonly LockedTool[], after: readonly LockedTool[]): boolean {
  const known = new Map(before.map((tool) => [placeOf(tool), tool]));
  if (before.length !== after.length) return false;
  return after.every((tool) => {
    const old = known.get(placeOf(tool));
    if (old === undefined) return false;
    const layers = (["prose", "hints", "rest"] as const).every((layer) => old.digests[layer] === tool.digests[layer]);
    if (!layers) return false;
    const words = new Set(textsIn(old.definition));
    return textsIn(tool.definition).every((text) => words.has(text) || SCHEMA_WORDS.has(text));
  });
}

/** Returns a tool's name and the sessions that see it; no two tools of a server have both in common. */
function placeOf({ definition, seenBy = [] }: LockedTool): string {
  return textOf([itemName("tool", definition), ...seenBy]);
}

/** Returns every member name and every string in a value. */
function textsIn(value: JsonValue): string[] {
  const found: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") found.push(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isJsonObject(next)) {
      for (const [name, member] of Object.entries(next)) {
        found.push(name);
        open.push(member);
      }
    }
  }
  return found;
}

function textOf(texts: readonly string[]): string {
  return JSON.stringify(texts);
}
