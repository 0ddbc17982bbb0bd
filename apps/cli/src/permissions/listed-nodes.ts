import { type ConfigNode, lineAt, nodeAt, type ParsedConfig } from "@agentprint/client-configs";
import type { WrittenEntry } from "./permission-entry.ts";

/** The texts of the list at a path, or of a text with commas there; none where there is neither. */
export function entriesAtPath(config: ParsedConfig, path: readonly string[]): WrittenEntry[] {
  const node = nodeAt(config, path);
  return node === undefined ? [] : entriesOf(config, node);
}

/** The names and the nodes of the members of a table at a path; none where there is no table. */
export function membersAtPath(
  config: ParsedConfig,
  path: readonly string[],
): { readonly name: string; readonly start: number; readonly value: ConfigNode }[] {
  const node = nodeAt(config, path);
  return node?.kind === "table" ? [...node.members] : [];
}

function entriesOf(config: ParsedConfig, node: ConfigNode): WrittenEntry[] {
  if (node.kind === "list") return node.items.flatMap((item) => (item.kind === "scalar" ? textsOf(config, item) : []));
  if (node.kind !== "scalar") return [];
  return textsOf(config, node).flatMap(({ written, line }) =>
    written.split(",").map((part) => ({ written: part.trim(), line })),
  );
}

function textsOf(config: ParsedConfig, { value, start }: Extract<ConfigNode, { kind: "scalar" }>): WrittenEntry[] {
  return typeof value === "string" ? [{ written: value, line: lineAt(config, start) }] : [];
}
