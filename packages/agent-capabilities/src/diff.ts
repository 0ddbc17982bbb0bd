import type { CapabilityLink } from "./capability-link.ts";
import type { ToolRef } from "./runtime.ts";
import { sortNames } from "./static-tools.ts";

/** How two lists of enabled tools differ. */
export interface ToolRefsDiff {
  readonly onlyInFirst: readonly ToolRef[];
  readonly onlyInSecond: readonly ToolRef[];
  /** Tools of one name and two hashes. */
  readonly hashChanged: readonly {
    readonly toolKey: string;
    readonly firstHash: string;
    readonly secondHash: string;
  }[];
  /** Sorted names of the tools of either list whose schema is hashed as `{ vendor, version }` only. */
  readonly opaqueSchemas: readonly string[];
  /** Those of them that both lists have with one hash: whether they differ cannot be told. */
  readonly undecided: readonly string[];
}

/** Options of {@link diffToolRefs}. */
export interface DiffToolRefsOptions {
  /** `opaqueSchemas` of both turns: of links, evaluations or runtime capabilities. A list of tools does not say it itself. */
  readonly opaqueSchemas?: readonly string[] | undefined;
}

/**
 * Compares two lists of enabled tools by name. Results keep the order of the lists; of two entries with one name the
 * last counts.
 *
 * @param first - Enabled tools of one turn.
 * @param second - Enabled tools of another.
 * @param options - `opaqueSchemas` of both.
 * @returns What only one of them has, what has another hash, and of what one hash does not say that it is equal.
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
  first: readonly ToolRef[],
  second: readonly ToolRef[],
  options: DiffToolRefsOptions = {},
): ToolRefsDiff {
  const before = new Map(first.map((ref) => [ref.toolKey, ref]));
  const after = new Map(second.map((ref) => [ref.toolKey, ref]));
  const opaqueSchemas = sortNames(options.opaqueSchemas ?? []).filter((name) => before.has(name) || after.has(name));
  return {
    opaqueSchemas,
    undecided: opaqueSchemas.filter((name) => {
      const toolHash = before.get(name)?.toolHash;
      return toolHash !== undefined && toolHash === after.get(name)?.toolHash;
    }),
    onlyInFirst: [...before.values()].filter(({ toolKey }) => !after.has(toolKey)),
    onlyInSecond: [...after.values()].filter(({ toolKey }) => !before.has(toolKey)),
    hashChanged: [...before.values()].flatMap(({ toolKey, toolHash: firstHash }) => {
      const secondHash = after.get(toolKey)?.toolHash ?? firstHash;
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

/** A field of a link that is compared as a whole. */
export type CapabilityLinkField = (typeof LINK_FIELDS)[number];

/** How two links differ, field by field. */
export interface CapabilityLinksDiff {
  readonly unchanged: readonly CapabilityLinkField[];
  readonly changed: readonly {
    readonly field: CapabilityLinkField;
    readonly first: string | null | undefined;
    readonly second: string | null | undefined;
  }[];
  /**
   * The fields that are equal without saying that what they stand for is: hashes in which a tool with an opaque schema takes
   * part, and what the model was told where a link does not have it.
   */
  readonly undecided: readonly CapabilityLinkField[];
  /** Sorted names of the tools of either link whose schema is hashed as `{ vendor, version }` only. */
  readonly opaqueSchemas: readonly string[];
}

/**
 * Compares two links field by field; `toolRefs` are compared by {@link diffToolRefs}.
 *
 * @param first - Link of one turn.
 * @param second - Link of another.
 * @returns The fields that are equal, those that are not with both values, and those that cannot be decided.
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
export function diffCapabilityLinks(first: CapabilityLink, second: CapabilityLink): CapabilityLinksDiff {
  const opaqueSchemas = opaqueSchemasOf(first, second);
  const undecided = new Set(LINK_FIELDS.filter((field) => isUndecided(field, first, second, opaqueSchemas)));
  const equal = (field: CapabilityLinkField): boolean => first[field] === second[field];
  const named = LINK_FIELDS.filter(
    (field) => field !== "instructionsHash" || first[field] !== undefined || second[field] !== undefined,
  );
  return {
    unchanged: named.filter((field) => equal(field) && !undecided.has(field)),
    changed: named
      .filter((field) => !equal(field) && !undecided.has(field))
      .map((field) => ({ field, first: first[field], second: second[field] })),
    undecided: [...undecided],
    opaqueSchemas,
  };
}

/** Sorted names of the tools of two links that equal hashes do not prove to be equal. */
function opaqueSchemasOf(first: CapabilityLink, second: CapabilityLink): string[] {
  return sortNames([...(first.opaqueSchemas ?? []), ...(second.opaqueSchemas ?? [])]);
}

function isUndecided(
  field: CapabilityLinkField,
  first: CapabilityLink,
  second: CapabilityLink,
  opaqueSchemas: readonly string[],
): boolean {
  if (field === "instructionsHash") {
    const hashes = [first[field], second[field]];
    return hashes.includes(null) || hashes.filter((hash) => hash === undefined).length === 1;
  }
  if (first[field] !== second[field]) return false;
  if (field === "staticHash") return opaqueSchemas.length > 0;
  return (
    field === "runtimeHash" &&
    [...first.toolRefs, ...second.toolRefs].some((ref) => opaqueSchemas.includes(ref.toolKey))
  );
}
