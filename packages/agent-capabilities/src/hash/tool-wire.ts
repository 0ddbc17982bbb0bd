import { isObject } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { SchemaOptions } from "./hash-options.ts";
import { jsonSchema } from "./json-schema.ts";
import { replayedSchema, toolSchemaToHashInput } from "./schema-hash-input.ts";
import type { StandardSchema } from "./standard-schema.ts";
import { bindingsOf, type PolicyBinding, type ToolSpec } from "./tool-spec.ts";
import { UntrustedJson } from "./untrusted-json.ts";

/** A tool as JSON: the hashed part of the tool. */
export interface ToolSpecWire {
  readonly name: string;
  readonly description: string | null;
  /** Lines in the order in which they were written. */
  readonly instructions: readonly string[];
  /** The result of `schemaToHashInput`. */
  readonly inputSchema: unknown;
  /** In the order in which they were declared. */
  readonly policyBindings: readonly PolicyBinding[];
}

/**
 * Writes a tool as JSON, for storage or for another process. {@link hydrateToolSpec} reads it back.
 *
 * @param spec - A tool, or an evaluated tool.
 * @param options - Which of the schema's JSON Schemas is written.
 * @returns A JSON object with the same digest.
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when the schema has no fingerprint
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)", wire replay
 * @example
 * ```ts
 * import { hashToolSpecStatic, hydrateToolSpec, jsonSchema, tool, toolSpecToWire } from "@agentprint/agent-capabilities";
 *
 * const ping = tool({ name: "ping", inputSchema: jsonSchema(true), handler: () => "pong" });
 * const stored = JSON.stringify(toolSpecToWire(ping));
 * hashToolSpecStatic(hydrateToolSpec(JSON.parse(stored))) === ping.staticHash; // true
 * ```
 */
export function toolSpecToWire(spec: ToolSpec, options: SchemaOptions = {}): ToolSpecWire {
  checkArgument("spec", spec, { inputSchema: "objectOrFunction", policies: "array?" });
  checkArgument("options", options, "object");
  return {
    name: spec.name,
    description: spec.description ?? null,
    instructions: [...spec.instructions],
    inputSchema: toolSchemaToHashInput(spec, options),
    policyBindings: bindingsOf(spec.policies),
  };
}

/**
 * Reads a tool back from JSON. A binding that has no `executeBinding` is `"live"`. The tool can be hashed, compared and
 * shown; it has no handler.
 *
 * @param wire - The result of {@link toolSpecToWire}, from an untrusted source.
 * @returns A frozen spec with the same digest as the tool that was written.
 * @throws {@link CapabilityError} `invalid-wire` when a member is malformed, with the path of that member
 * @throws {@link CapabilityError} `invalid-schema` when the schema is not JSON
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)", wire replay
 * @example
 * ```ts
 * import { hydrateToolSpec } from "@agentprint/agent-capabilities";
 *
 * const spec = hydrateToolSpec({
 *   name: "ping",
 *   description: null,
 *   instructions: [],
 *   inputSchema: true,
 *   policyBindings: [],
 * });
 * spec.name; // "ping"
 * ```
 */
export function hydrateToolSpec(wire: unknown): ToolSpec {
  return guarded("invalid-wire", "a tool on the wire", () => hydrate(wire));
}

const WIRE = new UntrustedJson("invalid-wire", "a tool on the wire");

function hydrate(wire: unknown): ToolSpec {
  const { name, description, instructions, inputSchema, policyBindings } = WIRE.object(wire, []);
  const toolName = WIRE.name(name, ["name"]);
  if (description !== null && typeof description !== "string") {
    throw WIRE.mismatch(["description"], "a string or null", description);
  }
  const lines = WIRE.list(instructions, ["instructions"]);
  const bindings = WIRE.list(policyBindings, ["policyBindings"]);
  return Object.freeze({
    name: toolName,
    description: description ?? undefined,
    instructions: Object.freeze(lines.map((line, index) => WIRE.text(line, ["instructions", index]))),
    inputSchema: hydrateSchema(inputSchema),
    policies: Object.freeze(bindings.map(hydrateBinding)),
  });
}

function hydrateBinding(binding: unknown, index: number): PolicyBinding {
  const path = ["policyBindings", index];
  const { id, executeBinding = "live" } = WIRE.object(binding, path);
  const name = WIRE.name(id, [...path, "id"]);
  if (executeBinding !== "live" && executeBinding !== "snapshot") {
    throw WIRE.mismatch([...path, "executeBinding"], '"live" or "snapshot"', executeBinding);
  }
  return Object.freeze({ id: name, executeBinding });
}

/** Returns the schema of a wire tool. If it was hashed only as vendor and version, it stays opaque. */
function hydrateSchema(schema: unknown): StandardSchema {
  if (typeof schema !== "boolean" && !isObject(schema)) {
    throw WIRE.mismatch(["inputSchema"], "a JSON Schema (an object or a boolean)", schema);
  }
  const wrapper = jsonSchema(schema);
  if (typeof schema === "boolean" || Object.keys(schema).length !== 2) return wrapper;
  const { vendor, version } = schema;
  if (typeof vendor !== "string" || typeof version !== "number") return wrapper;
  const { validate } = wrapper["~standard"];
  return replayedSchema({ version, vendor, validate });
}
