import { canonicalize, isJsonObject, type JsonValue } from "@agentprint/canonical-json";
import { ITEMS, itemName } from "@agentprint/mcp";
import type { LockedServer, LockedTool } from "@agentprint/mcp-lock";

/** The names of members and types by which a schema says what it takes. */
const SCHEMA_WORDS: ReadonlySet<string> = new Set(
  `$anchor $defs $dynamicAnchor $dynamicRef $id $ref $schema additionalItems additionalProperties allOf anyOf array boolean
  const contains definitions dependencies dependentRequired dependentSchemas else enum exclusiveMaximum exclusiveMinimum
  format if integer items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties
  minimum multipleOf not null number object oneOf pattern patternProperties prefixItems properties propertyNames required
  string then type unevaluatedItems unevaluatedProperties uniqueItems`.split(/\s+/),
);

/**
 * Whether two states of a server are reached in the same way, by the same client and in the same sessions.
 *
 * @param before The server as it was accepted
 * @param after The server now
 */
export function hasSameSurroundings(before: LockedServer, after: LockedServer): boolean {
  const around = (entry: LockedServer) => {
    const { launch, files, coverage, artifacts, auth, client, clientCapabilities, sessions, unstable } = entry;
    const given = { launch, files, coverage, artifacts, auth, client, clientCapabilities, sessions, unstable };
    return canonicalize(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  };
  return around(before) === around(after);
}

/**
 * Whether a model reads nothing new: the same items under the same names, with equal prose, hints and other members, and in the schemas
 * of each tool no name and no text that the tool did not have before. Versions of the server aside, the parts of a greeting are equal.
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

/** The greeting and the server info hold the version, which may change in digits and dots alone. */
function sameParts({ parts: before }: LockedServer, { parts: after }: LockedServer): boolean {
  const words = (parts: LockedServer["parts"]) => textOf(parts.map((part) => JSON.stringify(withoutVersion(part))));
  return words(before) === words(after);
}

function withoutVersion({ part, value, seenBy }: LockedServer["parts"][number]): unknown {
  if (part !== "serverInfo" || !isJsonObject(value)) return { part, value, seenBy };
  const { version, ...rest } = value;
  const isPlain = typeof version === "string" && /^[0-9.]{1,32}$/.test(version);
  return { part, value: isPlain ? rest : value, seenBy };
}

function sameTools(before: readonly LockedTool[], after: readonly LockedTool[]): boolean {
  if (before.length !== after.length) return false;
  return after.every((tool, index) => {
    const old = before[index] as LockedTool;
    const layers = (["prose", "hints", "rest"] as const).every((layer) => old.digests[layer] === tool.digests[layer]);
    const isSameTool = itemName("tool", old.definition) === itemName("tool", tool.definition);
    if (!isSameTool || !layers || String(old.seenBy) !== String(tool.seenBy)) return false;
    const known = new Set(textsIn(old.definition));
    return textsIn(tool.definition).every((text) => known.has(text) || SCHEMA_WORDS.has(text));
  });
}

/** Every name of a member and every string in a value. */
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
