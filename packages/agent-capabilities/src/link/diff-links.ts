import { checkArgument, LINK } from "../check-argument.ts";
import { requireToolRefs, type ToolRef } from "../evaluate/runtime-hash.ts";
import { sortNames } from "../hash/opaque-schemas.ts";
import type { CapabilityLink } from "./capability-link.ts";

/** The differences between the enabled tools of two turns. Golden vectors fix the members' names. */
export interface ToolRefsDiff {
  readonly onlyInFirst: readonly ToolRef[];
  readonly onlyInSecond: readonly ToolRef[];
  /** Tools that both lists have with different hashes. */
  readonly hashChanged: readonly {
    readonly toolKey: string;
    readonly firstHash: string;
    readonly secondHash: string;
  }[];
  /** Sorted names of the tools in either list whose schema is not completely covered by any digest. */
  readonly opaqueSchemas: readonly string[];
  /** The tools among `opaqueSchemas` that both lists have with the same hash; it is unknown whether they differ. */
  readonly undecided: readonly string[];
}

/** Options of {@link diffToolRefs}. */
export interface DiffToolRefsOptions {
  /**
   * `opaqueSchemas` of both turns, from their links or evaluations. The tool lists themselves do not have this
   * information.
   */
  readonly opaqueSchemas?: readonly string[] | undefined;
}

/**
 * Compares two lists of enabled tools by name. Results keep the order of the lists. If a list has two entries with the
 * same name, the last one wins.
 *
 * @param before - Enabled tools of one turn.
 * @param after - Enabled tools of a later turn.
 * @param options - `opaqueSchemas` of both turns.
 * @throws {@link CapabilityError} `invalid-argument` when a tool has no name or no hash
 * @returns The tools that only one list has, those whose hash changed, and those whose equal hash does not prove them equal.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { diffToolRefs } from "@agentprint/agent-capabilities";
 *
 * diffToolRefs([{ toolKey: "a", toolHash: "1" }], [{ toolKey: "a", toolHash: "2" }]).hashChanged;
 * // [{ toolKey: "a", firstHash: "1", secondHash: "2" }]
 * ```
 */
export function diffToolRefs(
  before: readonly ToolRef[],
  after: readonly ToolRef[],
  options: DiffToolRefsOptions = {},
): ToolRefsDiff {
  checkArgument("before", before, "array");
  checkArgument("after", after, "array");
  checkArgument("options", options, "object");
  requireToolRefs(before, "before");
  requireToolRefs(after, "after");
  const refsBefore = new Map(before.map((ref) => [ref.toolKey, ref]));
  const refsAfter = new Map(after.map((ref) => [ref.toolKey, ref]));
  const known = (name: string): boolean => refsBefore.has(name) || refsAfter.has(name);
  const opaqueSchemas = sortNames(options.opaqueSchemas ?? []).filter(known);
  return {
    opaqueSchemas,
    undecided: opaqueSchemas.filter((name) => {
      const toolHash = refsBefore.get(name)?.toolHash;
      return toolHash !== undefined && toolHash === refsAfter.get(name)?.toolHash;
    }),
    onlyInFirst: [...refsBefore.values()].filter(({ toolKey }) => !refsAfter.has(toolKey)),
    onlyInSecond: [...refsAfter.values()].filter(({ toolKey }) => !refsBefore.has(toolKey)),
    hashChanged: [...refsBefore.values()].flatMap(({ toolKey, toolHash: firstHash }) => {
      const secondHash = refsAfter.get(toolKey)?.toolHash ?? firstHash;
      return secondHash === firstHash ? [] : [{ toolKey, firstHash, secondHash }];
    }),
  };
}

const LINK_FIELDS = [
  "agentId",
  "agentName",
  "staticHash",
  "runtimeHash",
  "invocationHash",
  "instructionsHash",
] as const;

/** A field of a link whose values are compared as strings. */
export type CapabilityLinkField = (typeof LINK_FIELDS)[number];

/** The differences between two links, field by field. Golden vectors fix the members' names. */
export interface CapabilityLinksDiff {
  readonly unchanged: readonly CapabilityLinkField[];
  readonly changed: readonly {
    readonly field: CapabilityLinkField;
    readonly first: string | null | undefined;
    readonly second: string | null | undefined;
  }[];
  /**
   * The fields whose comparison proves nothing: equal hashes over a tool with an opaque schema, and `instructionsHash` if one
   * of the links does not have it.
   */
  readonly undecided: readonly CapabilityLinkField[];
  /** Sorted names of the tools in either link whose schema is not completely covered by any digest. */
  readonly opaqueSchemas: readonly string[];
}

/**
 * Compares two links field by field. {@link diffToolRefs} compares their `toolRefs`.
 *
 * @param before - Link of one turn.
 * @param after - Link of a later turn.
 * @returns The equal fields, the different fields with both values, and the fields that cannot be decided.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { diffCapabilityLinks } from "@agentprint/agent-capabilities";
 *
 * const link = { agentId: "a", agentName: "A", staticHash: "1", runtimeHash: "2", toolRefs: [] };
 * diffCapabilityLinks(link, { ...link, agentName: "B" }).changed;
 * // [{ field: "agentName", first: "A", second: "B" }]
 * ```
 */
export function diffCapabilityLinks(before: CapabilityLink, after: CapabilityLink): CapabilityLinksDiff {
  checkArgument("before", before, LINK);
  checkArgument("after", after, LINK);
  const opaqueSchemas = sortNames([...(before.opaqueSchemas ?? []), ...(after.opaqueSchemas ?? [])]);
  const undecided = new Set(LINK_FIELDS.filter((field) => isUndecided(field, before, after, opaqueSchemas)));
  const isEqual = (field: CapabilityLinkField): boolean => before[field] === after[field];
  const compared = LINK_FIELDS.filter((field) => !undecided.has(field)).filter(
    (field) => field !== "instructionsHash" || before[field] !== undefined || after[field] !== undefined,
  );
  return {
    unchanged: compared.filter(isEqual),
    changed: compared
      .filter((field) => !isEqual(field))
      .map((field) => ({ field, first: before[field], second: after[field] })),
    undecided: [...undecided],
    opaqueSchemas,
  };
}

function isUndecided(
  field: CapabilityLinkField,
  before: CapabilityLink,
  after: CapabilityLink,
  opaqueSchemas: readonly string[],
): boolean {
  if (field === "instructionsHash") {
    const hashes = [before[field], after[field]];
    return hashes.includes(null) || hashes.filter((hash) => hash === undefined).length === 1;
  }
  if (before[field] !== after[field]) return false;
  if (field === "staticHash") return opaqueSchemas.length > 0;
  return (
    field === "runtimeHash" &&
    [...before.toolRefs, ...after.toolRefs].some(({ toolKey }) => opaqueSchemas.includes(toolKey))
  );
}
