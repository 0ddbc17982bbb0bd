import { isObject, sha256Hex } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { EvaluatedTool } from "../evaluate/evaluated-tool.ts";
import type { SchemaOptions } from "../hash/hash-options.ts";
import { opaqueSchemaNames, sortNames } from "../hash/opaque-schemas.ts";
import type { ToolSpec } from "../hash/tool-spec.ts";
import { hydrateToolSpec, type ToolSpecWire, toolSpecToWire } from "../hash/tool-wire.ts";
import { UntrustedJson } from "../hash/untrusted-json.ts";
import type { CapabilityLink } from "./capability-link.ts";
import { parseCapabilityLink } from "./parse-link.ts";

/** A turn with the definitions of its tools, so that a later comparison can name the part of a tool that changed. */
export interface CapabilitySnapshot {
  readonly link: CapabilityLink;
  /** In the order of the link's `toolRefs`. */
  readonly tools: readonly ToolSpecWire[];
  /** Sorted names of the tools whose schema is not completely covered by any digest. */
  readonly opaqueSchemas: readonly string[];
  /**
   * The instructions of tools and toolkits for the model: the text behind the link's `instructionsHash`, if it has one.
   */
  readonly instructions?: string;
  /** The texts that enabled tools were bound to at run time, by tool name; absent if no tool was bound. */
  readonly runtimeToolAugments?: Readonly<Record<string, string>>;
}

/**
 * Makes a snapshot of an evaluated turn.
 *
 * @param turn - The result of `computeFullCapabilityLink`.
 * @param options - Which JSON Schemas are written; by default, those with which the turn was hashed.
 * @returns A JSON object.
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
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
export function createCapabilitySnapshot(turn: EvaluatedTurn, options: SchemaOptions = {}): CapabilitySnapshot {
  checkArgument("turn", turn, {
    link: { toolRefs: ["object"] },
    evaluation: { tools: "object" },
    hashOptions: "object?",
  });
  checkArgument("options", options, "object");
  const { link, evaluation, hashOptions, runtimeToolAugments = {} } = turn;
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
 * Reads a snapshot from an untrusted source. `findSnapshotContradictions` checks whether the definitions have
 * the digests that the link records; this function does not.
 *
 * @param value - The result of `JSON.parse`.
 * @returns The snapshot. `opaqueSchemas` also names the tools whose definition shows that their schema is opaque.
 * @throws {@link CapabilityError} `invalid-link` or `invalid-wire` when a member is malformed, with the path of that
 * member
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

const SNAPSHOT = new UntrustedJson("invalid-wire", "capability snapshot");

function readSnapshot(value: unknown): CapabilitySnapshot {
  const snapshot = isObject(value) ? value : {};
  const { tools, instructions, runtimeToolAugments, opaqueSchemas = [] } = snapshot;
  const link = parseCapabilityLink(snapshot["link"]);
  const specs = readSpecs(tools, link);
  const named = SNAPSHOT.list(opaqueSchemas, ["opaqueSchemas"]).map((name, index) =>
    SNAPSHOT.text(name, ["opaqueSchemas", index]),
  );
  return {
    link,
    tools: specs.map((spec) => toolSpecToWire(spec)),
    opaqueSchemas: sortNames([...(link.opaqueSchemas ?? []), ...named, ...opaqueSchemaNames(specs, {})]),
    ...(instructions !== undefined && { instructions: SNAPSHOT.text(instructions, ["instructions"]) }),
    ...(runtimeToolAugments !== undefined && { runtimeToolAugments: readAugments(runtimeToolAugments) }),
  };
}

/** Reads the definitions of a snapshot, which must define exactly the tools that its link names. */
function readSpecs(tools: unknown, { toolRefs }: CapabilityLink): ToolSpec[] {
  const names = new Set(toolRefs.map(({ toolKey }) => toolKey));
  if (!Array.isArray(tools) || tools.length !== names.size) {
    throw SNAPSHOT.refusal(["tools"], `expected the ${names.size} tools of its link`);
  }
  return tools.map((wire: unknown, index) => {
    const spec = hydrateToolSpec(wire);
    if (names.delete(spec.name)) return spec;
    throw SNAPSHOT.refusal(["tools", index, "name"], `tool "${spec.name}" is not in its link`);
  });
}

function readAugments(value: unknown): Record<string, string> {
  const entries = Object.entries(SNAPSHOT.object(value, ["runtimeToolAugments"]));
  return Object.fromEntries(entries.map(([name, text]) => [name, SNAPSHOT.text(text, ["runtimeToolAugments", name])]));
}
