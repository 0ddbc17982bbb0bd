import { fromPointer, type JsonObject, type JsonValue, type PathSegment } from "@agentprint/canonical-json";
import { type Place, SchemaDocument, someMember, walkSchemas } from "@agentprint/json-schema";
import type { CapabilityManifest } from "../capability-manifest.ts";
import type { ManifestWarningCode, RawIssue } from "../issue.ts";
import { member, show } from "../json.ts";

type Warning = RawIssue<ManifestWarningCode>;

/**
 * Warns of references that cannot be followed, and of patterns that no engine can read. Such schemas are valid but
 * probably not intended.
 */
export function warnInputSchemas({ tools }: CapabilityManifest): Warning[] {
  return tools.flatMap(({ input_schema }, index) => warnInputSchema(input_schema, ["tools", index, "input_schema"]));
}

function warnInputSchema(root: JsonObject, at: readonly PathSegment[]): Warning[] {
  if (!someMember(root, (name) => KEYWORDS.has(name))) return [];
  const document = new SchemaDocument(root);
  const places = [...walkSchemas(document, { draft: 2020 })];
  const circular = circularPlaces(document, places);
  const found: Warning[] = [];
  for (const place of places) {
    const { value, pointer } = place;
    const warn = (code: ManifestWarningCode, message: string, ...more: PathSegment[]): void => {
      found.push({ code, path: [...at, ...fromPointer(pointer), ...more], message });
    };
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = member(value, keyword);
      if (typeof reference !== "string") continue;
      const { type } = document.resolve(reference, place.base);
      if (type === "missing") {
        warn("INPUT_SCHEMA_UNRESOLVED_REF", `The reference ${show(reference)} leads nowhere`, keyword);
      } else if (type === "remote") {
        const message = `The reference ${show(reference)} leads out of the manifest; it is never fetched`;
        warn("INPUT_SCHEMA_REMOTE_REF", message, keyword);
      }
    }
    if (circular.has(pointer)) {
      warn("INPUT_SCHEMA_REF_CYCLE", "The reference leads back to itself without going into the value", "$ref");
    }
    const pattern = member(value, "pattern");
    if (typeof pattern === "string" && !isPattern(pattern)) {
      warn("INPUT_SCHEMA_INVALID_PATTERN", `${show(pattern)} is not a regular expression`, "pattern");
    }
    for (const name of Object.keys(member(value, "patternProperties") ?? {})) {
      if (isPattern(name)) continue;
      warn("INPUT_SCHEMA_INVALID_PATTERN", `${show(name)} is not a regular expression`, "patternProperties", name);
    }
  }
  return found;
}

/** The keywords for which a warning is possible. Most schemas contain none of them, so the walk can be omitted. */
const KEYWORDS: ReadonlySet<string> = new Set(["$dynamicRef", "$ref", "pattern", "patternProperties"]);

/**
 * Returns the pointers of the schemas to which a chain of references leads back. Each reference is followed once,
 * however many others lead to it.
 */
function circularPlaces(document: SchemaDocument, places: readonly Place[]): Set<string> {
  const circular = new Set<string>();
  const settled = new Set<string>();
  for (const place of places) {
    const chain = new Set<string>();
    let next: Place | undefined = place;
    for (;;) {
      const reference: JsonValue | undefined = member(next?.value, "$ref");
      if (next === undefined || typeof reference !== "string") break;
      if (settled.has(next.pointer) || chain.has(next.pointer)) break;
      chain.add(next.pointer);
      const target = document.resolve(reference, next.base);
      next = target.type === "found" ? target.place : undefined;
    }
    if (next !== undefined && chain.has(next.pointer)) {
      const ring = [...chain];
      for (const pointer of ring.slice(ring.indexOf(next.pointer))) circular.add(pointer);
    }
    for (const pointer of chain) settled.add(pointer);
  }
  return circular;
}

/** Returns whether a pattern compiles. No pattern in a manifest is ever run, because it could backtrack for hours. */
function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
