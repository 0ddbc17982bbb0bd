import { CapabilityError } from "./errors.ts";
import { guarded } from "./guarded.ts";
import type { SchemaOptions } from "./hash-options.ts";
import { jsonSchema } from "./json-schema.ts";
import { bindingsOf, type PolicyBinding } from "./policy.ts";
import { replayedSchema, toolSchemaToHashInput } from "./schema-hash-input.ts";
import type { StandardSchema } from "./standard-schema.ts";
import type { ToolSpec } from "./tool.ts";

/** A tool as JSON: everything that is hashed of it, and nothing else. */
export interface ToolSpecWire {
  readonly name: string;
  readonly description: string | null;
  /** Lines in the order in which they were written. */
  readonly instructions: readonly string[];
  /** What `schemaToHashInput` returned. */
  readonly inputSchema: unknown;
  /** In the order in which they were declared. */
  readonly policyBindings: readonly PolicyBinding[];
}

/**
 * Writes a tool as JSON, for storage or for another process; {@link hydrateToolSpec} reads it back.
 *
 * @param spec - A tool, or an evaluated tool.
 * @param options - Which view of the schema is written.
 * @returns A JSON object with the same digest.
 * @throws {CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema`.
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
  return {
    name: spec.name,
    description: spec.description ?? null,
    instructions: [...spec.instructions],
    inputSchema: toolSchemaToHashInput(spec, options),
    policyBindings: bindingsOf(spec.policies),
  };
}

/**
 * Reads a tool back from JSON. A binding that has no `executeBinding` is `"live"`. The tool can be hashed, compared and shown; it has no handler.
 *
 * @param wire - What {@link toolSpecToWire} wrote, from a source that need not be trusted.
 * @returns A frozen spec with the digest of the tool that was written.
 * @throws {CapabilityError} `invalid-wire`, with the path of what is wrong.
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

function hydrate(wire: unknown): ToolSpec {
  const { name, description, instructions, inputSchema, policyBindings } = object(wire, []);
  if (typeof name !== "string" || name === "") throw wrong(["name"], "a non-empty string", name);
  if (description !== null && typeof description !== "string") {
    throw wrong(["description"], "a string or null", description);
  }
  const lines = list(instructions, "instructions").map((line, index) => {
    if (typeof line !== "string") throw wrong(["instructions", index], "a string", line);
    return line;
  });
  const policies = list(policyBindings, "policyBindings").map((entry, index) => {
    const { id, executeBinding = "live" } = object(entry, ["policyBindings", index]);
    if (typeof id !== "string" || id === "") throw wrong(["policyBindings", index, "id"], "a non-empty string", id);
    if (executeBinding !== "live" && executeBinding !== "snapshot") {
      throw wrong(["policyBindings", index, "executeBinding"], '"live" or "snapshot"', executeBinding);
    }
    return Object.freeze({ id, executeBinding });
  });
  return Object.freeze({
    name,
    description: description ?? undefined,
    instructions: Object.freeze(lines),
    inputSchema: hydrateSchema(inputSchema),
    policies: Object.freeze(policies),
  });
}

/** The wire form of an opaque schema stays opaque. */
function hydrateSchema(schema: unknown): StandardSchema {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null || Array.isArray(schema))) {
    throw wrong(["inputSchema"], "a JSON Schema (an object or a boolean)", schema);
  }
  const wrapper = jsonSchema(schema);
  if (typeof schema === "boolean" || Object.keys(schema).length !== 2) return wrapper;
  const { vendor, version } = schema as Record<string, unknown>;
  if (typeof vendor !== "string" || typeof version !== "number") return wrapper;
  const { validate } = wrapper["~standard"];
  return replayedSchema({ version, vendor, validate });
}

function object(value: unknown, path: readonly (string | number)[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(path, "an object", value);
  return value as Record<string, unknown>;
}

function list(value: unknown, key: string): unknown[] {
  if (!Array.isArray(value)) throw wrong([key], "an array", value);
  return value;
}

function wrong(path: readonly (string | number)[], expected: string, received: unknown): CapabilityError {
  const shown = received === null ? "null" : Array.isArray(received) ? "an array" : typeof received;
  const where = path.length === 0 ? "a tool on the wire" : `a tool on the wire, ${path.join(".")}`;
  return new CapabilityError("invalid-wire", `${where}: expected ${expected}, received ${shown}`, { path });
}
