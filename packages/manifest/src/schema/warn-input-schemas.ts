import type { JsonValue, PathSegment } from "@agentprint/canonical-json";
import type { Draft, ManifestWarningCode } from "../issue.ts";
import { member, show } from "../json.ts";
import type { CapabilityManifest } from "../manifest-schema.ts";
import { type Subschema, walkSchema } from "./walk-schema.ts";

type Warning = Draft<ManifestWarningCode>;

/** References that cannot be followed and patterns that no engine reads: valid schemas, but not as meant. */
export function warnInputSchemas({ tools }: CapabilityManifest): Warning[] {
  return tools.flatMap(({ input_schema }, index) => warnInputSchema(input_schema, ["tools", index, "input_schema"]));
}

function warnInputSchema(root: { readonly [keyword: string]: JsonValue }, at: readonly PathSegment[]): Warning[] {
  const subschemas = walkSchema(root);
  const targets = targetsOf(subschemas);
  const found: Warning[] = [];
  for (const { schema, path } of subschemas) {
    const warn = (code: ManifestWarningCode, message: string, ...more: PathSegment[]): void => {
      found.push({ code, path: [...at, ...path, ...more], message });
    };
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = member(schema, keyword);
      if (typeof reference !== "string" || targets.has(reference)) continue;
      if (reference.startsWith("#")) {
        if (resolvePointer(root, reference) !== undefined) continue;
        warn("INPUT_SCHEMA_UNRESOLVED_REF", `The reference ${show(reference)} leads nowhere`, keyword);
      } else {
        warn(
          "INPUT_SCHEMA_REMOTE_REF",
          `The reference ${show(reference)} leads out of the manifest; it is never fetched`,
          keyword,
        );
      }
    }
    if (isCircular(root, schema)) {
      warn("INPUT_SCHEMA_REF_CYCLE", "The reference leads back to itself without going into the value", "$ref");
    }
    const pattern = member(schema, "pattern");
    if (typeof pattern === "string" && !isPattern(pattern)) {
      warn("INPUT_SCHEMA_INVALID_PATTERN", `${show(pattern)} is no regular expression`, "pattern");
    }
    for (const name of Object.keys(member(schema, "patternProperties") ?? {})) {
      if (isPattern(name)) continue;
      warn("INPUT_SCHEMA_INVALID_PATTERN", `${show(name)} is no regular expression`, "patternProperties", name);
    }
  }
  return found;
}

/** Every reference that an `$id` or anchor in the schema answers. */
function targetsOf(subschemas: readonly Subschema[]): Set<string> {
  const targets = new Set<string>();
  for (const { schema } of subschemas) {
    const id = member(schema, "$id");
    if (typeof id === "string") targets.add(id);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = member(schema, keyword);
      if (typeof anchor === "string") targets.add(`#${anchor}`);
    }
  }
  return targets;
}

/** What a reference into the same schema (`#`, `#/$defs/a`) leads to. */
function resolvePointer(root: JsonValue, reference: string): JsonValue | undefined {
  let target: JsonValue | undefined = root;
  for (const segment of reference.split("/").slice(1)) {
    const key = decode(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    target = Array.isArray(target) ? target[Number(key)] : member(target, key);
  }
  return reference === "#" || reference.startsWith("#/") ? target : undefined;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Whether a chain of references from one schema to the next comes back to where it started. */
function isCircular(root: JsonValue, schema: JsonValue): boolean {
  const seen = new Set<JsonValue | undefined>();
  let next: JsonValue | undefined = schema;
  for (;;) {
    const reference = member(next, "$ref");
    if (typeof reference !== "string") return false;
    seen.add(next);
    next = resolvePointer(root, reference);
    if (next === schema) return true;
    if (seen.has(next)) return false;
  }
}

/** Compiled only: no pattern of a manifest is ever run. */
function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
