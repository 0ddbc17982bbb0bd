import type { Composable } from "./composable.ts";
import { CapabilityError } from "./errors.ts";
import type { HashOptions, SchemaOptions } from "./hash-options.ts";
import { isOpaqueSchema } from "./schema-hash-input.ts";
import type { Tool } from "./tool.ts";

/** The tools of a tree that are known before evaluation, in traversal order. */
export function* staticTools(root: Composable): Generator<Tool> {
  if (root.kind === "tool") yield root;
  else if (root.kind === "toolkit") for (const member of root.members) yield* staticTools(member);
}

/**
 * Static hash of every tool that is known before evaluation. What dynamic toolkits create is not.
 *
 * @param root - A tool or toolkit.
 * @param options - Order, and which view of schemas is hashed.
 * @returns Tool name → 64 lowercase hex digits, in traversal order.
 * @throws {CapabilityError} `duplicate-tool` when two different definitions share a name; as `computeStaticHash`.
 * @see Capability hashing, "Runtime capability hash (`runtimeHash`)"
 * @example
 * ```ts
 * import { collectToolStaticHashes, jsonSchema, tool, toolkit } from "@agentprint/agent-capabilities";
 *
 * const ping = tool({ name: "ping", inputSchema: jsonSchema(true), handler: () => "pong" });
 * collectToolStaticHashes(toolkit([ping], { name: "net" })).get("ping") === ping.staticHash; // true
 * ```
 */
export function collectToolStaticHashes(root: Composable, options: HashOptions = {}): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const tool of staticTools(root)) {
    const hash = tool.computeStaticHash(options);
    const other = hashes.get(tool.name);
    if (other !== undefined && other !== hash) {
      throw new CapabilityError(
        "duplicate-tool",
        `tool "${tool.name}": expected one definition for a name, received two (${other} and ${hash})`,
        { toolName: tool.name },
      );
    }
    hashes.set(tool.name, hash);
  }
  return hashes;
}

/** Sorted names of the tools whose schema is hashed as `{ vendor, version }` only. */
export function opaqueSchemaNames(
  tools: Iterable<Pick<Tool, "name" | "inputSchema">>,
  options: SchemaOptions,
): string[] {
  const names = new Set<string>();
  for (const tool of tools) if (isOpaqueSchema(tool.inputSchema, options)) names.add(tool.name);
  return sortNames(names);
}

/** Whether one set of enabled tools can come with different instructions: static hash and runtime hash do not decide them. */
export function instructionsVary(root: Composable): boolean {
  const names = [...staticTools(root)].map(({ name }) => name);
  return hasDynamicToolkit(root) || new Set(names).size < names.length;
}

function hasDynamicToolkit(root: Composable): boolean {
  return root.kind === "dynamicToolkit" || (root.kind === "toolkit" && root.members.some(hasDynamicToolkit));
}

/** Names in the order of UTF-16 code units, each once. */
export function sortNames(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}
