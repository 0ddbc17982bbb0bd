import { keyComparator } from "@agentprint/canonical-json";
import type { ArgumentForm } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "../check-argument.ts";
import type { HashOptions } from "./hash-options.ts";
import { hashPlainObject } from "./hash-plain-object.ts";
import { canonicalPartOf } from "./json-schema.ts";
import { toolSchemaToHashInput } from "./schema-hash-input.ts";
import { bindingsOf, type PolicyBinding, type ToolSpec } from "./tool-spec.ts";

const SPEC: ArgumentForm = { inputSchema: "objectOrFunction", policies: "array?" };

/** The object that is hashed for a tool. */
export interface ToolPayload {
  readonly kind: "tool";
  readonly name: string;
  readonly description: string | null;
  readonly schema: unknown;
  readonly instructions: readonly string[];
  readonly policies: readonly string[];
  readonly policyBindings?: readonly PolicyBinding[];
}

/**
 * Returns the object that is hashed for a tool. It is the same for the tool's definition, its evaluated form and its
 * wire form.
 *
 * @param spec - A tool, an evaluated tool, or the result of `hydrateToolSpec`.
 * @param options - The sort order and how schemas are hashed.
 * @returns The payload; `policyBindings` is present only if there are policies.
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when the schema has no fingerprint
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { jsonSchema, tool, toolSpecCanonicalPayload } from "@agentprint/agent-capabilities";
 *
 * const ping = tool({ name: "ping", inputSchema: jsonSchema(true), handler: () => "pong" });
 * toolSpecCanonicalPayload(ping).instructions; // []
 * ```
 */
export function toolSpecCanonicalPayload(spec: ToolSpec, options: HashOptions = {}): ToolPayload {
  checkArgument("spec", spec, SPEC);
  checkArgument("options", options, "object");
  const compare = keyComparator(options.sort ?? "code-unit");
  const policyBindings = bindingsOf(spec.policies).sort((a, b) => compare(a.id, b.id));
  const payload: ToolPayload = {
    kind: "tool",
    name: spec.name,
    description: spec.description ?? null,
    schema: toolSchemaToHashInput(spec, options),
    instructions: [...spec.instructions].sort(compare),
    policies: policyBindings.map(({ id }) => id),
  };
  return policyBindings.length === 0 ? payload : { ...payload, policyBindings };
}

/**
 * Returns the SHA-256 of {@link toolSpecCanonicalPayload}.
 *
 * @param spec - A tool, an evaluated tool, or the result of `hydrateToolSpec`.
 * @param options - The sort order and how schemas are hashed.
 * @returns 64 lowercase hex digits, equal to the tool's `staticHash`.
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when the schema has no fingerprint
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { hashToolSpecStatic, jsonSchema, tool } from "@agentprint/agent-capabilities";
 *
 * const ping = tool({ name: "ping", inputSchema: jsonSchema(true), handler: () => "pong" });
 * hashToolSpecStatic(ping) === ping.staticHash; // true
 * ```
 */
export function hashToolSpecStatic(spec: ToolSpec, options: HashOptions = {}): string {
  const payload = toolSpecCanonicalPayload(spec, options);
  // The text that a jsonSchema() wrapper has kept is sorted by code units.
  if (options.sort === "locale") return hashPlainObject(payload, options);
  return hashPlainObject({ ...payload, schema: canonicalPartOf(payload.schema) }, options);
}
