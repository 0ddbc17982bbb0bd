import type { CapabilityLink } from "./capability-link.ts";
import { CapabilityError } from "./errors.ts";
import { guarded } from "./guarded.ts";
import type { ToolRef } from "./runtime.ts";
import { sortNames } from "./static-tools.ts";

/**
 * Reads a link from a source that need not be trusted. Keys that a link does not have are left out. That
 * its hashes are those of its tools is not checked: a link does not say in which order they were sorted.
 *
 * @param value - What `JSON.parse` returned.
 * @returns The link.
 * @throws {CapabilityError} `invalid-link`, with the path of what is wrong.
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

function readLink(value: unknown): CapabilityLink {
  const link = record(value, []);
  const { invocationHash, instructionsHash, opaqueSchemas } = link;
  return {
    agentId: name(link["agentId"], ["agentId"]),
    agentName: name(link["agentName"], ["agentName"]),
    staticHash: digest(link["staticHash"], ["staticHash"]),
    runtimeHash: digest(link["runtimeHash"], ["runtimeHash"]),
    toolRefs: distinct(toolRefs(link["toolRefs"], ["toolRefs"]), ["toolRefs"]),
    ...(invocationHash !== undefined && { invocationHash: digest(invocationHash, ["invocationHash"]) }),
    ...(instructionsHash !== undefined && {
      instructionsHash: instructionsHash === null ? null : digest(instructionsHash, ["instructionsHash"]),
    }),
    ...(opaqueSchemas !== undefined && { opaqueSchemas: names(opaqueSchemas, ["opaqueSchemas"]) }),
  };
}

/**
 * Reads a list of enabled tools from a source that need not be trusted.
 *
 * @param value - What `JSON.parse` returned.
 * @returns The list, in its order.
 * @throws {CapabilityError} `invalid-link`, with the path of what is wrong.
 * @see Capability hashing, "Capability link"
 * @example
 * ```ts
 * import { parseToolRefs } from "@agentprint/agent-capabilities";
 *
 * parseToolRefs([{ toolKey: "read", toolHash: "0".repeat(64) }]).length; // 1
 * ```
 */
export function parseToolRefs(value: unknown): ToolRef[] {
  return guarded("invalid-link", "a list of tools", () => toolRefs(value, []));
}

type Path = readonly (string | number)[];

function toolRefs(value: unknown, path: Path): ToolRef[] {
  if (!Array.isArray(value)) throw wrong(path, "an array", value);
  return value.map((entry, index) => {
    const { toolKey, toolHash } = record(entry, [...path, index]);
    return {
      toolKey: name(toolKey, [...path, index, "toolKey"]),
      toolHash: digest(toolHash, [...path, index, "toolHash"]),
    };
  });
}

/** A link names a tool once: `createCapabilityLink` makes no other. */
function distinct(refs: ToolRef[], path: Path): ToolRef[] {
  const names = new Set<string>();
  for (const [index, { toolKey }] of refs.entries()) {
    if (names.has(toolKey)) {
      throw invalidLink([...path, index, "toolKey"], "one tool of a name", `a second ${JSON.stringify(toolKey)}`);
    }
    names.add(toolKey);
  }
  return refs;
}

function record(value: unknown, path: Path): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(path, "an object", value);
  return value as Record<string, unknown>;
}

function name(value: unknown, path: Path): string {
  if (typeof value !== "string" || value === "") throw wrong(path, "a non-empty string", value);
  return value;
}

function names(value: unknown, path: Path): string[] {
  if (!Array.isArray(value)) throw wrong(path, "an array", value);
  return sortNames(value.map((entry, index) => name(entry, [...path, index])));
}

function digest(value: unknown, path: Path): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) throw wrong(path, "64 lowercase hex digits", value);
  return value;
}

function wrong(path: Path, expected: string, received: unknown): CapabilityError {
  return invalidLink(
    path,
    expected,
    received === null ? "null" : Array.isArray(received) ? "an array" : typeof received,
  );
}

function invalidLink(path: Path, expected: string, received: string): CapabilityError {
  const where = path.length === 0 ? "" : `, ${path.join(".")}`;
  return new CapabilityError("invalid-link", `capability link${where}: expected ${expected}, received ${received}`, {
    path,
  });
}
