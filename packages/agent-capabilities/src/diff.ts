import type { CapabilityLink } from "./capability-link.ts";
import type { ToolRef } from "./runtime.ts";

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
}

/**
 * Compares two lists of enabled tools by name. Results keep the order of the lists; of two entries with one name the
 * last counts.
 *
 * @param first - Enabled tools of one turn.
 * @param second - Enabled tools of another.
 * @returns What only one of them has, and what has another hash.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { diffToolRefs } from "@agentprint/agent-capabilities";
 *
 * diffToolRefs([{ toolKey: "a", toolHash: "1" }], [{ toolKey: "a", toolHash: "2" }]).hashChanged;
 * // [{ toolKey: "a", firstHash: "1", secondHash: "2" }]
 * ```
 */
export function diffToolRefs(first: readonly ToolRef[], second: readonly ToolRef[]): ToolRefsDiff {
  const before = new Map(first.map((ref) => [ref.toolKey, ref]));
  const after = new Map(second.map((ref) => [ref.toolKey, ref]));
  return {
    onlyInFirst: [...before.values()].filter(({ toolKey }) => !after.has(toolKey)),
    onlyInSecond: [...after.values()].filter(({ toolKey }) => !before.has(toolKey)),
    hashChanged: [...before.values()].flatMap(({ toolKey, toolHash: firstHash }) => {
      const secondHash = after.get(toolKey)?.toolHash ?? firstHash;
      return secondHash === firstHash ? [] : [{ toolKey, firstHash, secondHash }];
    }),
  };
}

const LINK_FIELDS = ["agentId", "agentName", "staticHash", "runtimeHash", "invocationHash"] as const;

/** A field of a link that is compared as a whole. */
export type CapabilityLinkField = (typeof LINK_FIELDS)[number];

/** How two links differ, field by field. */
export interface CapabilityLinksDiff {
  readonly unchanged: readonly CapabilityLinkField[];
  readonly changed: readonly {
    readonly field: CapabilityLinkField;
    readonly first: string | undefined;
    readonly second: string | undefined;
  }[];
}

/**
 * Compares two links field by field; `toolRefs` are compared by {@link diffToolRefs}.
 *
 * @param first - Link of one turn.
 * @param second - Link of another.
 * @returns The fields that are equal, and those that are not with both values.
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
  const equal = (field: CapabilityLinkField): boolean => first[field] === second[field];
  return {
    unchanged: LINK_FIELDS.filter(equal),
    changed: LINK_FIELDS.filter((field) => !equal(field)).map((field) => ({
      field,
      first: first[field],
      second: second[field],
    })),
  };
}
