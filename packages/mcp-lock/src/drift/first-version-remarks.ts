import { isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { type ItemKind, itemName } from "@agentprint/mcp";
import { findInvisible, findMixedScript } from "@agentprint/tool-pins/judgement";
import { itemsOfEntry, type LockedServer } from "../lock/lock.ts";
import type { HiddenText, Remark } from "./drift.ts";

/** Kinds of items whose texts a model reads without requesting them. */
const READ_KINDS: readonly ItemKind[] = ["tool", "prompt", "resource", "resourceTemplate"];
/** The maximum number of places that are listed per subject. */
const MAX_PLACES = 8;
/** Occurs in the JSON of every value that has other characters than printable ASCII, tabs and line breaks. */
const UNUSUAL = /[^ -~]|\\[bfu]/;

/**
 * Returns the remarks about a server whose first version is pinned.
 *
 * @param accepted - The entry that a reviewer accepted; remarks about it are left out.
 */
export function firstVersionRemarks(server: LockedServer, accepted?: LockedServer): Remark[] {
  const known = new Set(accepted && [...hiddenTexts(accepted), ...coverageRemarks(accepted)].map(keyOf));
  const isNew = (remark: Remark) => !known.has(keyOf(remark));
  return [
    ...hiddenTexts(server).filter(isNew),
    ...missingHints(server, accepted),
    ...coverageRemarks(server).filter(isNew),
  ];
}

function keyOf(remark: Remark): string {
  return JSON.stringify(remark);
}

function hiddenTexts(server: LockedServer): Remark[] {
  const ofItems = READ_KINDS.flatMap((kind) =>
    itemsOfEntry(server, kind).flatMap(({ definition }): Remark[] => {
      const places = placesOf(definition);
      return places.length === 0 ? [] : [{ type: "hidden-text", kind, name: itemName(kind, definition), places }];
    }),
  );
  const ofParts = server.parts.flatMap(({ part, value }): Remark[] => {
    const places =
      part === "capabilities"
        ? []
        : placesOf(value).map((place) => ({ ...place, pointer: `/${part}${place.pointer}` }));
    return places.length === 0 ? [] : [{ type: "hidden-text", places }];
  });
  // A name has several definitions if sessions received different definitions.
  const texts = new Map([...ofItems, ...ofParts].map((remark) => [keyOf(remark), remark]));
  return [...texts.values()];
}

/**
 * Returns the places in a value where a text or a name has characters that a reader cannot see or confuses with others.
 */
function placesOf(root: JsonValue): HiddenText[] {
  const places: HiddenText[] = [];
  if (!UNUSUAL.test(JSON.stringify(root))) return places;
  const look = (pointer: string, text: string) => {
    const invisible = [...findInvisible(text)].map(([name, count]) => (count === 1 ? name : `${name}, ${count} times`));
    const found = [...invisible, ...findMixedScript(text)];
    if (found.length > 0) places.push({ pointer, found: found.slice(0, MAX_PLACES) });
  };
  const open: (readonly [pointer: string, value: JsonValue])[] = [["", root]];
  for (let next = open.pop(); next !== undefined && places.length < MAX_PLACES; next = open.pop()) {
    const [pointer, value] = next;
    if (typeof value === "string") look(pointer, value);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value).reverse()) {
      const below = pointer + toPointer([key]);
      if (!Array.isArray(value)) look(below, key);
      open.push([below, member]);
    }
  }
  return places;
}

/**
 * Returns the tools without any hint about whether they are read-only or destructive; the specification treats them as
 * destructive.
 */
function missingHints({ tools }: LockedServer, accepted?: LockedServer): Remark[] {
  const known = new Set(accepted && namesWithoutHint(accepted));
  const missing = namesWithoutHint({ tools }).filter((name) => !known.has(name));
  const of = new Set(tools.map(({ definition }) => itemName("tool", definition))).size;
  return missing.length === 0 ? [] : [{ type: "missing-hints", tools: [...new Set(missing)], of }];
}

function namesWithoutHint({ tools }: Pick<LockedServer, "tools">): string[] {
  return tools.filter(({ definition }) => !hasHint(definition)).map(({ definition }) => itemName("tool", definition));
}

function hasHint({ annotations }: JsonObject): boolean {
  if (!isJsonObject(annotations)) return false;
  return annotations["readOnlyHint"] === true || typeof annotations["destructiveHint"] === "boolean";
}

/** Returns no remarks if the launch's files were not read. */
function coverageRemarks({ coverage }: LockedServer): Remark[] {
  const { state, word, pointer } = coverage ?? {};
  if (state !== "not covered" || word === undefined || pointer === undefined) return [];
  return [{ type: "launch-not-covered", word, pointer }];
}
