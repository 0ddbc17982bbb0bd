import { guarded } from "../errors.ts";
import type { ToolRef } from "../evaluate/runtime-hash.ts";
import { sortNames } from "../hash/opaque-schemas.ts";
import { UntrustedJson } from "../hash/untrusted-json.ts";
import type { CapabilityLink } from "./capability-link.ts";

/**
 * Reads a link from an untrusted source. Unknown members are omitted. This function does not check whether the link's
 * hashes match its tools, because a link does not record its sort order.
 *
 * @param value - The result of `JSON.parse`.
 * @returns The link.
 * @throws {@link CapabilityError} `invalid-link` when a member is malformed, with the path of that member
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { CapabilityError, parseCapabilityLink } from "@agentprint/agent-capabilities";
 *
 * try {
 *   parseCapabilityLink({ agentId: "a", agentName: "A", staticHash: "abc" });
 * } catch (error) {
 *   console.log(error instanceof CapabilityError && error.path); // "/staticHash"
 * }
 * ```
 */
export function parseCapabilityLink(value: unknown): CapabilityLink {
  return guarded("invalid-link", "a capability link", () => readLink(value));
}

/**
 * Reads a list of enabled tools from an untrusted source.
 *
 * @param value - The result of `JSON.parse`.
 * @returns The list, in its original order.
 * @throws {@link CapabilityError} `invalid-link` when an entry is malformed, with the path of that entry
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { parseToolRefs } from "@agentprint/agent-capabilities";
 *
 * parseToolRefs([{ toolKey: "read", toolHash: "0".repeat(64) }]).length; // 1
 * ```
 */
export function parseToolRefs(value: unknown): ToolRef[] {
  return guarded("invalid-link", "a list of tools", () => readToolRefs(value, []));
}

const LINK = new UntrustedJson("invalid-link", "capability link");

function readLink(value: unknown): CapabilityLink {
  const link = LINK.object(value, []);
  const { invocationHash, instructionsHash, opaqueSchemas } = link;
  return {
    agentId: LINK.name(link["agentId"], ["agentId"]),
    agentName: LINK.name(link["agentName"], ["agentName"]),
    staticHash: LINK.digest(link["staticHash"], ["staticHash"]),
    runtimeHash: LINK.digest(link["runtimeHash"], ["runtimeHash"]),
    toolRefs: requireDistinct(readToolRefs(link["toolRefs"], ["toolRefs"])),
    ...(invocationHash !== undefined && { invocationHash: LINK.digest(invocationHash, ["invocationHash"]) }),
    ...(instructionsHash !== undefined && {
      instructionsHash: instructionsHash === null ? null : LINK.digest(instructionsHash, ["instructionsHash"]),
    }),
    ...(opaqueSchemas !== undefined && { opaqueSchemas: readNames(opaqueSchemas, ["opaqueSchemas"]) }),
  };
}

function readToolRefs(value: unknown, path: readonly string[]): ToolRef[] {
  return LINK.list(value, path).map((entry, index) => {
    const { toolKey, toolHash } = LINK.object(entry, [...path, index]);
    return {
      toolKey: LINK.name(toolKey, [...path, index, "toolKey"]),
      toolHash: LINK.digest(toolHash, [...path, index, "toolHash"]),
    };
  });
}

/** Refuses a link that names a tool twice: `createCapabilityLink` makes no such link. */
function requireDistinct(refs: ToolRef[]): ToolRef[] {
  const names = new Set<string>();
  for (const [index, { toolKey }] of refs.entries()) {
    if (names.has(toolKey)) {
      const problem = `expected one tool per name, received a second ${JSON.stringify(toolKey)}`;
      throw LINK.refusal(["toolRefs", index, "toolKey"], problem);
    }
    names.add(toolKey);
  }
  return refs;
}

function readNames(value: unknown, path: readonly string[]): string[] {
  return sortNames(LINK.list(value, path).map((entry, index) => LINK.name(entry, [...path, index])));
}
