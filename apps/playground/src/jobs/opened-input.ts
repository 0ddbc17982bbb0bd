import { readJson } from "@agentprint/typescript-port";
import type { Shared } from "../share/fragment.ts";

/** A tool that can perform one of the vectors' operations. */
interface Fit {
  readonly tool: Shared["tool"];
  /** The tool's fields, by the input member that each holds. */
  readonly fields: Readonly<Record<string, string>>;
  /** Returns the field's text for a member; by default the member itself. */
  readonly read?: (member: unknown) => unknown;
}

const FITS: Readonly<Record<string, Fit>> = {
  "canonical-json/canonicalize": { tool: "canonical", fields: { json: "first" } },
  "canonical-json/canonicalizeJson": { tool: "canonical", fields: { json: "first" } },
  "canonical-json/parseJson": { tool: "canonical", fields: { json: "first" } },
  "content-hash/compareTexts": { tool: "text", fields: { before: "first", after: "second" } },
  "content-hash/computeTextHash": { tool: "text", fields: { text: "first" } },
  "content-hash/normalizeText": { tool: "text", fields: { text: "first" } },
  "manifest/diffManifests": { tool: "compare", fields: { before: "before", after: "after" } },
  "schema-diff/compareSchemas": {
    tool: "schemas",
    fields: { before: "before", after: "after", direction: "direction" },
    read: (member) => (typeof member === "string" ? member : Object(member).json),
  },
  "statement/openStatement": {
    tool: "statement",
    fields: { json: "statement", keys: "keys" },
    read: (member) => (Array.isArray(member) ? member.join("\n") : member),
  },
  "trail/verifyChain": { tool: "trail", fields: { json: "trail" }, read: linesOf },
};

/** Members for which the tools have no field, because they show the results for all values. */
const SHOWN_FOR_EACH: ReadonlySet<string> = new Set(["level", "profile"]);

/** Returns a tool with a vector's input in its fields; `undefined` if no tool has fields for all of the input. */
export function openedInput(operation: string, input: Readonly<Record<string, unknown>>): Shared | undefined {
  const fit = Object.hasOwn(FITS, operation) ? FITS[operation] : undefined;
  if (fit === undefined) return undefined;
  const { tool, fields, read = (member: unknown) => member } = fit;
  const state: Record<string, string> = {};
  for (const [name, member] of Object.entries(input)) {
    if (SHOWN_FOR_EACH.has(name)) continue;
    const field = fields[name];
    const text = field === undefined ? undefined : read(member);
    if (field === undefined || typeof text !== "string") return undefined;
    state[field] = text;
  }
  return { tool, state };
}

/** Returns the lines of a trail whose records are the items of a JSON array; `undefined` if the text is not one. */
function linesOf(json: unknown): string | undefined {
  if (typeof json !== "string") return undefined;
  const records = readJson(json);
  return Array.isArray(records) ? records.map((record) => `${JSON.stringify(record)}\n`).join("") : undefined;
}
