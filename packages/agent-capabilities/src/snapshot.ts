import type { CapabilityLink } from "./capability-link.ts";
import { CapabilityError } from "./errors.ts";
import type { EvaluatedTool } from "./evaluated-tool.ts";
import type { SchemaOptions } from "./hash-options.ts";
import { parseCapabilityLink } from "./parse-link.ts";
import { hydrateToolSpec, type ToolSpecWire, toolSpecToWire } from "./wire.ts";

/** A turn with the definitions of its tools: what it takes to say which part of a tool changed. */
export interface CapabilitySnapshot {
  readonly link: CapabilityLink;
  /** In the order of the link's `toolRefs`. */
  readonly tools: readonly ToolSpecWire[];
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
  { link, evaluation, hashOptions }: EvaluatedTurn,
  options: SchemaOptions = {},
): CapabilitySnapshot {
  const tools = evaluation.tools as Record<string, EvaluatedTool>;
  const view = { ...hashOptions, ...options };
  return { link, tools: link.toolRefs.map(({ toolKey }) => toolSpecToWire(tools[toolKey] as EvaluatedTool, view)) };
}

interface EvaluatedTurn {
  readonly link: CapabilityLink;
  readonly evaluation: { readonly tools: object };
  readonly hashOptions?: SchemaOptions;
}

/**
 * Reads a snapshot from a source that need not be trusted.
 *
 * @param value - What `JSON.parse` returned.
 * @returns The snapshot.
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
  const { link, tools } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const parsed = parseCapabilityLink(link);
  const names = new Set(parsed.toolRefs.map(({ toolKey }) => toolKey));
  if (!Array.isArray(tools) || tools.length !== names.size) {
    throw new CapabilityError(
      "invalid-wire",
      `capability snapshot, tools: expected the ${names.size} tools of its link`,
      {
        path: ["tools"],
      },
    );
  }
  return {
    link: parsed,
    tools: tools.map((wire: unknown, index) => {
      const spec = hydrateToolSpec(wire);
      if (names.delete(spec.name)) return toolSpecToWire(spec);
      throw new CapabilityError("invalid-wire", `capability snapshot: tool "${spec.name}" is not one of its link`, {
        path: ["tools", index, "name"],
      });
    }),
  };
}
