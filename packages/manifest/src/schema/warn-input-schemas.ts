import type { JsonValue, PathSegment } from "@agentprint/canonical-json";
import type { CapabilityManifest } from "../capability-manifest.ts";
import type { Draft, ManifestWarningCode } from "../issue.ts";
import { member, mentions, show } from "../json.ts";
import { References } from "./references.ts";
import { pathOf, type Subschema, walkSchema } from "./walk-schema.ts";

type Warning = Draft<ManifestWarningCode>;

/** References that cannot be followed and patterns that no engine reads: valid schemas, but not as meant. */
export function warnInputSchemas({ tools }: CapabilityManifest): Warning[] {
  return tools.flatMap(({ input_schema }, index) => warnInputSchema(input_schema, ["tools", index, "input_schema"]));
}

function warnInputSchema(root: { readonly [keyword: string]: JsonValue }, at: readonly PathSegment[]): Warning[] {
  if (!mentions(root, KEYWORDS)) return [];
  const subschemas = walkSchema(root);
  const references = new References(subschemas);
  const circular = circularSchemas(references, subschemas);
  const found: Warning[] = [];
  for (const subschema of subschemas) {
    const { schema } = subschema;
    const warn = (code: ManifestWarningCode, message: string, ...more: PathSegment[]): void => {
      found.push({ code, path: [...at, ...pathOf(subschema), ...more], message });
    };
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = member(schema, keyword);
      if (typeof reference !== "string" || references.resolve(schema, reference) !== undefined) continue;
      if (references.homeOf(schema, reference) !== undefined) {
        warn("INPUT_SCHEMA_UNRESOLVED_REF", `The reference ${show(reference)} leads nowhere`, keyword);
      } else {
        warn(
          "INPUT_SCHEMA_REMOTE_REF",
          `The reference ${show(reference)} leads out of the manifest; it is never fetched`,
          keyword,
        );
      }
    }
    if (circular.has(schema)) {
      warn("INPUT_SCHEMA_REF_CYCLE", "The reference leads back to itself without going into the value", "$ref");
    }
    const pattern = member(schema, "pattern");
    if (typeof pattern === "string" && !isPattern(pattern)) {
      warn("INPUT_SCHEMA_INVALID_PATTERN", `${show(pattern)} is no regular expression`, "pattern");
    }
    const patterns = member(schema, "patternProperties");
    if (patterns === undefined || patterns === null) continue;
    for (const name of Object.keys(patterns)) {
      if (isPattern(name)) continue;
      warn("INPUT_SCHEMA_INVALID_PATTERN", `${show(name)} is no regular expression`, "patternProperties", name);
    }
  }
  return found;
}

/** The keywords that there are warnings about; most schemas have none of them. */
const KEYWORDS: ReadonlySet<string> = new Set(["$dynamicRef", "$ref", "pattern", "patternProperties"]);

/** The schemas that a chain of references leads back to. Each is followed once, however many lead to it. */
function circularSchemas(references: References, subschemas: readonly Subschema[]): Set<JsonValue> {
  const circular = new Set<JsonValue>();
  const settled = new Set<JsonValue>();
  for (const { schema } of subschemas) {
    if (!Object.hasOwn(schema, "$ref")) continue;
    const chain = new Set<JsonValue>();
    let next: JsonValue | undefined = schema;
    for (;;) {
      const reference = member(next, "$ref");
      if (next === undefined || typeof reference !== "string" || settled.has(next) || chain.has(next)) break;
      chain.add(next);
      next = references.resolve(next, reference);
    }
    if (next !== undefined && chain.has(next)) {
      const ring = [...chain];
      for (const item of ring.slice(ring.indexOf(next))) circular.add(item);
    }
    for (const item of chain) settled.add(item);
  }
  return circular;
}

/** Compiled only: no pattern of a manifest is ever run. */
function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
