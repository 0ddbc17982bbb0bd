import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { ITEMS, itemName, LISTS, type NumberTexts, numbersByPart, type VisitAnswers } from "@agentprint/mcp";
import { ITEM_DEPTH } from "../visit/item-numbers.ts";
import type { VaryingKind, VaryingMember } from "./varying-member.ts";
import { memberAt } from "./varying-place.ts";

/** A definition or greeting that can have varying members. */
export interface VaryingHolder {
  readonly kind: VaryingKind;
  readonly name?: string;
  readonly value: JsonObject;
  /** The texts of its numbers that change when they are read as doubles, by pointer; absent if they are not known. */
  readonly numbers?: NumberTexts;
}

/** Yields a visit's definitions and greetings, in the order in which they arrived. */
export function* holdersOfVisit({ sessions }: Pick<VisitAnswers, "sessions">): Generator<VaryingHolder> {
  for (const { greetings, lists, numbers } of sessions) {
    for (const value of greetings) yield { kind: "greeting", value };
    const parts = numbersByPart(numbers ?? {}, ITEM_DEPTH);
    for (const { list, item: kind, key } of LISTS) {
      if (kind === "resourceTemplate") continue;
      for (const [reading, pages] of (lists[list] ?? []).entries()) {
        for (const [at, page] of pages.entries()) {
          for (const [index, value] of listOf(page[list]).entries()) {
            const name = memberAt(value, key);
            if (typeof name !== "string") continue;
            const own = numbers && (parts.get(`/lists/${list}/${reading}/${at}/${list}/${index}`) ?? {});
            yield { kind, name, value: value as JsonObject, ...(own && { numbers: own }) };
          }
        }
      }
    }
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

interface Defined {
  readonly definition: JsonObject;
  readonly numbers?: NumberTexts;
}

/** The members of a lock entry that hold pinned values. */
export interface PinnedEntry {
  readonly varies?: readonly VaryingMember[];
  readonly parts: readonly { readonly part: string; readonly value: JsonValue }[];
  readonly tools: readonly Defined[];
  readonly prompts: readonly Defined[];
  readonly resources: readonly Defined[];
}

/** Yields the definitions and the instructions that an entry holds. */
export function* holdersOfEntry(entry: PinnedEntry): Generator<VaryingHolder> {
  for (const { part, value } of entry.parts) {
    if (part === "instructions") yield { kind: "greeting", value: { instructions: value } };
  }
  for (const kind of ["tool", "prompt", "resource"] as const) {
    for (const { definition, numbers = {} } of entry[ITEMS[kind].list]) {
      yield { kind, name: itemName(kind, definition), value: definition, numbers };
    }
  }
}
