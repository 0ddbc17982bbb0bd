import type { ConfigFormat, ConfigNode, ConfigPath, TableNode } from "./config-node.ts";
import { ClientConfigError } from "./errors.ts";

/** A parsed configuration, together with its text. */
export interface ParsedConfig {
  /** The file name that errors use. */
  readonly file: string;
  readonly format: ConfigFormat;
  /** Whether the text begins with a byte order mark. */
  readonly hasMark: boolean;
  readonly text: string;
  readonly root: ConfigNode;
}

/**
 * Returns the node at the end of a path, or `undefined` if there is none.
 *
 * @throws {@link ClientConfigError} when two members have the same name that is on the path
 */
export function nodeAt(config: ParsedConfig, path: ConfigPath): ConfigNode | undefined {
  let node: ConfigNode | undefined = config.root;
  for (const step of path) {
    if (node?.kind === "list" && typeof step === "number") node = node.items[step];
    else if (node?.kind === "table" && typeof step === "string") node = onlyMember(config, node, step)?.value;
    else return undefined;
  }
  return node;
}

function onlyMember(config: ParsedConfig, table: TableNode, name: string): TableNode["members"][number] | undefined {
  const [first, second] = table.members.filter((member) => member.name === name);
  if (second) throw twoMembers(config, name, second.start);
  return first;
}

/**
 * Returns the plain value of a node.
 *
 * @throws {@link ClientConfigError} when two members of an object have the same name, or a member is named `__proto__`,
 * because the plain value could not hold all of them; or when a name has a lone surrogate
 */
export function plainValue(config: ParsedConfig, node: ConfigNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map((item) => plainValue(config, item));
  requireOwnNames(config, node);
  return Object.fromEntries(node.members.map(({ name, value }) => [name, plainValue(config, value)]));
}

/**
 * @throws {@link ClientConfigError} when two members of the table have the same name, or a name is `__proto__` or has a
 * lone surrogate
 */
export function requireOwnNames(config: ParsedConfig, { members }: TableNode): void {
  const names = new Set<string>();
  for (const { name, start } of members) {
    if (name === "__proto__") throw invalidConfig(placeOf(config, start), "__proto__ cannot be a name");
    if (!name.isWellFormed()) throw invalidConfig(placeOf(config, start), "a name has a lone surrogate");
    if (names.has(name)) throw twoMembers(config, name, start);
    names.add(name);
  }
}

function twoMembers(config: ParsedConfig, name: string, start: number): ClientConfigError {
  return invalidConfig(placeOf(config, start), `${JSON.stringify(name)} is used for two members`);
}

/** Returns the line number of a place in a text, counted from 1. */
export function lineAt({ text }: Pick<ParsedConfig, "text">, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Returns `file:line:column` for a place in a text, both counted from 1. */
export function placeOf({ file, text }: Pick<ParsedConfig, "file" | "text">, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Returns the `invalid-config` error for a problem at a place in a client's configuration. */
export function invalidConfig(where: string, reason: string): ClientConfigError {
  return new ClientConfigError(`this is not a configuration of MCP servers: ${reason}`, {
    where,
    expected: '{"mcpServers": {"name": {"command": "…", "args": […]}}}, or the format and spelling of another client',
  });
}
