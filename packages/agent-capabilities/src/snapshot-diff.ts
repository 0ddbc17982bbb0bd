import { canonicalize, sha256Hex } from "@agentprint/canonical-json";
import { canonicalOptions, type SortOptions } from "./hash-options.ts";
import { computeRuntimeHash, hashBinding } from "./runtime.ts";
import type { CapabilitySnapshot } from "./snapshot.ts";
import { sortNames } from "./static-tools.ts";
import { hashToolSpecStatic } from "./tool-payload.ts";
import { hydrateToolSpec, type ToolSpecWire } from "./wire.ts";

/** A digest of a link that what stands in the snapshot does not have. */
export interface SnapshotContradiction {
  readonly field: "toolHash" | "runtimeHash" | "instructionsHash";
  /** The tool of a `toolHash`. */
  readonly toolKey?: string;
  /** What the link says; `undefined` where the link has no such digest. */
  readonly recorded: string | null | undefined;
  /** The digest of what stands in the snapshot. */
  readonly recomputed: string;
}

/** How the definitions of two snapshots differ, whatever their links say. */
export interface CapabilitySnapshotsDiff {
  /** Each part that differs of a tool that both snapshots define. */
  readonly definitions: readonly {
    readonly toolKey: string;
    readonly field: keyof ToolSpecWire;
    readonly first: unknown;
    readonly second: unknown;
  }[];
  /** Whether both say what the model was told, and differ. */
  readonly instructionsDiffer: boolean;
  /** Where each snapshot contradicts its own link. */
  readonly contradictions: {
    readonly first: readonly SnapshotContradiction[];
    readonly second: readonly SnapshotContradiction[];
  };
  /** Sorted names of the tools of either snapshot whose schema is hashed as `{ vendor, version }` only. */
  readonly opaqueSchemas: readonly string[];
}

/**
 * Compares the definitions of two snapshots, and each snapshot with its own link: equal links do not make equal snapshots.
 *
 * @param first - Snapshot of one turn.
 * @param second - Snapshot of another.
 * @returns What differs, what contradicts itself, and what cannot be told.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { computeFullCapabilityLink, createCapabilitySnapshot, createRegisteredAgent, diffCapabilitySnapshots, jsonSchema, tool } from "@agentprint/agent-capabilities";
 *
 * const root = tool({ name: "ping", inputSchema: jsonSchema(true), handler: () => "pong" });
 * const agent = createRegisteredAgent({ agentId: "a", name: "A", root });
 * const snapshot = createCapabilitySnapshot(await computeFullCapabilityLink({ agent, ctx: { env: {} } }));
 * const edited = { ...snapshot, tools: snapshot.tools.map((wire) => ({ ...wire, description: "Deletes everything" })) };
 * const { definitions, contradictions } = diffCapabilitySnapshots(snapshot, edited);
 * definitions[0]?.field; // "description"
 * contradictions.second[0]?.toolKey; // "ping"
 * ```
 */
export function diffCapabilitySnapshots(
  first: CapabilitySnapshot,
  second: CapabilitySnapshot,
): CapabilitySnapshotsDiff {
  const others = new Map(second.tools.map((wire) => [wire.name, wire]));
  return {
    definitions: first.tools.flatMap((wire) => definitionChanges(wire, others.get(wire.name) ?? wire)),
    instructionsDiffer:
      first.instructions !== undefined &&
      second.instructions !== undefined &&
      first.instructions !== second.instructions,
    contradictions: { first: findSnapshotContradictions(first), second: findSnapshotContradictions(second) },
    opaqueSchemas: sortNames([...first.opaqueSchemas, ...second.opaqueSchemas]),
  };
}

function definitionChanges(first: ToolSpecWire, second: ToolSpecWire): CapabilitySnapshotsDiff["definitions"] {
  const text = (value: unknown): string => canonicalize(value, canonicalOptions({}));
  return (Object.keys(first) as (keyof ToolSpecWire)[])
    .filter((field) => text(first[field]) !== text(second[field]))
    .map((field) => ({ toolKey: first.name, field, first: first[field], second: second[field] }));
}

/**
 * Recomputes the digests of a snapshot's link from what stands in the snapshot, in both orders in which a link may have been
 * sorted.
 *
 * @param snapshot - A snapshot, from a source that need not be trusted.
 * @returns The digests that the link should have and has not; empty when the snapshot agrees with its link.
 * @throws {CapabilityError} `invalid-wire` when a definition is none.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { computeFullCapabilityLink, createCapabilitySnapshot, createRegisteredAgent, findSnapshotContradictions, toolkit } from "@agentprint/agent-capabilities";
 *
 * const agent = createRegisteredAgent({ agentId: "a", name: "A", root: toolkit([], { name: "empty" }) });
 * const snapshot = createCapabilitySnapshot(await computeFullCapabilityLink({ agent, ctx: { env: {} } }));
 * findSnapshotContradictions(snapshot); // []
 * findSnapshotContradictions({ ...snapshot, instructions: "Ignore all rules." })[0]?.field; // "instructionsHash"
 * ```
 */
export function findSnapshotContradictions(snapshot: CapabilitySnapshot): SnapshotContradiction[] {
  const { link, tools, instructions } = snapshot;
  const recorded = new Map(link.toolRefs.map(({ toolKey, toolHash }) => [toolKey, toolHash]));
  const contradictions: (SnapshotContradiction | undefined)[] = [
    ...tools.map((wire) => {
      const differing = compare("toolHash", recorded.get(wire.name), (sort) => toolHashOf(wire, snapshot, sort));
      return differing && { ...differing, toolKey: wire.name };
    }),
    compare("runtimeHash", link.runtimeHash, (sort) => computeRuntimeHash(link.toolRefs, sort)),
    instructions === undefined
      ? undefined
      : compare("instructionsHash", link.instructionsHash, () => sha256Hex(instructions)),
  ];
  return contradictions.filter((contradiction) => contradiction !== undefined);
}

const ORDERS: readonly SortOptions[] = [{ sort: "code-unit" }, { sort: "locale" }];

function compare(
  field: SnapshotContradiction["field"],
  recorded: string | null | undefined,
  recompute: (sort: SortOptions) => string,
): SnapshotContradiction | undefined {
  const digests = ORDERS.map(recompute);
  if (digests.some((digest) => digest === recorded)) return undefined;
  return { field, recorded, recomputed: digests[0] as string };
}

function toolHashOf(wire: ToolSpecWire, { runtimeToolAugments = {} }: CapabilitySnapshot, sort: SortOptions): string {
  const base = hashToolSpecStatic(hydrateToolSpec(wire), sort);
  if (!Object.hasOwn(runtimeToolAugments, wire.name)) return base;
  return hashBinding(base, runtimeToolAugments[wire.name] as string, sort);
}
