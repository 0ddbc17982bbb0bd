import { sha256Hex } from "@agentprint/canonical-json";
import type { CapabilityLink } from "./capability-link.ts";
import { CapabilityError } from "./errors.ts";
import type { EvaluatedTool } from "./evaluated-tool.ts";
import { guarded } from "./guarded.ts";
import type { SchemaOptions } from "./hash-options.ts";
import { parseCapabilityLink } from "./parse-link.ts";
import { opaqueSchemaNames, sortNames } from "./static-tools.ts";
import { hydrateToolSpec, type ToolSpecWire, toolSpecToWire } from "./wire.ts";

/** A turn with the definitions of its tools: what it takes to say which part of a tool changed. */
export interface CapabilitySnapshot {
  readonly link: CapabilityLink;
  /** In the order of the link's `toolRefs`. */
  readonly tools: readonly ToolSpecWire[];
  /** Sorted names of the tools whose schema is hashed as `{ vendor, version }` only. */
  readonly opaqueSchemas: readonly string[];
  /** What tools and toolkits told the model: the text behind the link's `instructionsHash`, where it has one. */
  readonly instructions?: string;
  /** What enabled tools were bound to at run time, by name; absent when none was. */
  readonly runtimeToolAugments?: Readonly<Record<string, string>>;
}

/**
 * Makes a snapshot of an evaluated turn.
 *
 * @param turn - What `computeFullCapabilityLink` returned.
 * @param options - Which view of schemas is written, if not the one that the turn was hashed with.
 * @returns A JSON object.
 * @throws {CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema`.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { computeFullCapabilityLink, createCapabilitySnapshot, createRegisteredAgent, toolkit } from "@agentprint/agent-capabilities";
 *
 * const agent = createRegisteredAgent({ agentId: "a", name: "A", root: toolkit([], { name: "empty" }) });
 * const turn = await computeFullCapabilityLink({ agent, ctx: { env: {} } });
 * createCapabilitySnapshot(turn).tools; // []
 * ```
 */
export function createCapabilitySnapshot(
  { link, evaluation, hashOptions, runtimeToolAugments = {} }: EvaluatedTurn,
  options: SchemaOptions = {},
): CapabilitySnapshot {
  const enabled = evaluation.tools as Record<string, EvaluatedTool>;
  const view = { ...hashOptions, ...options };
  const tools = link.toolRefs.map(({ toolKey }) => toolSpecToWire(enabled[toolKey] as EvaluatedTool, view));
  const bound = link.toolRefs.map(({ toolKey }) => toolKey).filter((name) => Object.hasOwn(runtimeToolAugments, name));
  const { instructions } = evaluation;
  return {
    link,
    tools,
    opaqueSchemas: sortNames([...(link.opaqueSchemas ?? []), ...opaqueSchemaNames(Object.values(enabled), view)]),
    ...(instructions !== undefined && sha256Hex(instructions) === link.instructionsHash && { instructions }),
    ...(bound.length > 0 && {
      runtimeToolAugments: Object.fromEntries(bound.map((name) => [name, runtimeToolAugments[name] as string])),
    }),
  };
}

interface EvaluatedTurn {
  readonly link: CapabilityLink;
  readonly evaluation: { readonly tools: object; readonly instructions?: string };
  readonly hashOptions?: SchemaOptions;
  readonly runtimeToolAugments?: Readonly<Record<string, string>>;
}

/**
 * Reads a snapshot from a source that need not be trusted. Whether its definitions have the digests that its link records is
 * the question of `findSnapshotContradictions`.
 *
 * @param value - What `JSON.parse` returned.
 * @returns The snapshot. `opaqueSchemas` also names the tools whose definition shows that their schema is opaque.
 * @throws {CapabilityError} `invalid-link` or `invalid-wire`, with the path of what is wrong.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { CapabilityError, parseCapabilitySnapshot } from "@agentprint/agent-capabilities";
 *
 * try {
 *   parseCapabilitySnapshot({ link: {}, tools: [] });
 * } catch (error) {
 *   console.log(error instanceof CapabilityError && error.path); // "/agentId"
 * }
 * ```
 */
export function parseCapabilitySnapshot(value: unknown): CapabilitySnapshot {
  return guarded("invalid-wire", "a capability snapshot", () => readSnapshot(value));
}

function readSnapshot(value: unknown): CapabilitySnapshot {
  const snapshot = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const { tools, instructions, runtimeToolAugments, opaqueSchemas } = snapshot;
  const link = parseCapabilityLink(snapshot["link"]);
  const names = new Set(link.toolRefs.map(({ toolKey }) => toolKey));
  if (!Array.isArray(tools) || tools.length !== names.size) {
    throw wrong(["tools"], `expected the ${names.size} tools of its link`);
  }
  if (instructions !== undefined && typeof instructions !== "string") {
    throw wrong(["instructions"], "expected a string");
  }
  const specs = tools.map((wire: unknown, index) => {
    const spec = hydrateToolSpec(wire);
    if (names.delete(spec.name)) return spec;
    throw wrong(["tools", index, "name"], `tool "${spec.name}" is not one of its link`);
  });
  return {
    link,
    tools: specs.map((spec) => toolSpecToWire(spec)),
    opaqueSchemas: sortNames([
      ...(link.opaqueSchemas ?? []),
      ...readNames(opaqueSchemas),
      ...opaqueSchemaNames(specs, {}),
    ]),
    ...(instructions !== undefined && { instructions }),
    ...(runtimeToolAugments !== undefined && { runtimeToolAugments: readAugments(runtimeToolAugments) }),
  };
}

function readNames(value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw wrong(["opaqueSchemas"], "expected an array of strings");
}

function readAugments(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(["runtimeToolAugments"], "expected an object");
  }
  const entries = Object.entries(value).map(([name, text]: [string, unknown]): [string, string] => {
    if (typeof text !== "string") throw wrong(["runtimeToolAugments", name], "expected a string");
    return [name, text];
  });
  return Object.fromEntries(entries);
}

function wrong(path: readonly (string | number)[], problem: string): CapabilityError {
  return new CapabilityError("invalid-wire", `capability snapshot, ${path.join(".")}: ${problem}`, { path });
}
