import { checkArgument } from "../check-argument.ts";
import { CapabilityError } from "../errors.ts";
import type { HashOptions } from "../hash/hash-options.ts";
import type { Composable, Tool } from "./composable.ts";

/** Yields the tools of a tree that are known before evaluation, in traversal order. */
export function* staticTools(root: Composable): Generator<Tool> {
  if (root.kind === "tool") yield root;
  else if (root.kind === "toolkit") for (const member of root.members) yield* staticTools(member);
}

/**
 * Returns the static hash of every tool that is known before evaluation. The tools that dynamic toolkits create are not
 * included.
 *
 * @param root - A tool or toolkit.
 * @param options - The sort order and how schemas are hashed.
 * @returns Tool name → 64 lowercase hex digits, in traversal order.
 * @throws {@link CapabilityError} `duplicate-tool` when two different definitions share a name
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
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
  checkArgument("root", root, "object");
  checkArgument("options", options, "object");
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

/**
 * Returns whether the same set of enabled tools can have different instructions. With a dynamic toolkit, the
 * instructions are made at evaluation, and if two tools have the same name, the enabled one determines the
 * instructions; no static or runtime hash covers either.
 */
export function instructionsVary(root: Composable): boolean {
  const names = [...staticTools(root)].map(({ name }) => name);
  return hasDynamicToolkit(root) || new Set(names).size < names.length;
}

function hasDynamicToolkit(root: Composable): boolean {
  return root.kind === "dynamicToolkit" || (root.kind === "toolkit" && root.members.some(hasDynamicToolkit));
}
