import { CLIENTS } from "./client-table.ts";
import type { ConfigNode, ConfigPath } from "./config-node.ts";
import { invalidConfig, nodeAt, type ParsedConfig, plainValue } from "./parsed-config.ts";
import { isBuiltIn, isOff } from "./server-entry.ts";

/** An entry of a configuration, not yet read as a server. */
export interface ConfiguredEntry {
  readonly name: string;
  /** The path of the entry in the configuration. */
  readonly path: ConfigPath;
  readonly value: unknown;
  /** `built-in`: the client itself brings the server along, and the entry launches nothing. */
  readonly state: "on" | "off" | "built-in";
}

/** The members that hold the servers in some client's configuration. */
const MEMBERS: readonly string[] = [
  ...new Set(CLIENTS.flatMap(({ files }) => files.flatMap(({ member }) => (member.length === 1 ? member : [])))),
];

/** The members of a configuration that may hold servers, in the order of the clients. */
export function membersWithServers(config: ParsedConfig): string[] {
  return MEMBERS.filter((member) => nodeAt(config, [member]) !== undefined);
}

/**
 * The entries of servers below a member of a configuration; none when the member is absent or null.
 *
 * @throws {@link ClientConfigError} when the member is neither an object nor a list of named entries, or two
 * members share a name
 */
export function entriesAt(config: ParsedConfig, member: ConfigPath): ConfiguredEntry[] {
  const excluded = namesAt(config, ["mcp", "excluded"]);
  const allowed = namesAt(config, ["mcp", "allowed"]);
  const isLeftOut = (name: string): boolean => excluded?.has(name) === true || allowed?.has(name) === false;
  return writtenEntries(config, member).map((entry) => {
    const { name, value } = entry;
    return { ...entry, state: isBuiltIn(value) ? "built-in" : isOff(value) || isLeftOut(name) ? "off" : "on" };
  });
}

/** Returns the names in a list beside the servers, such as those that alone Gemini CLI connects to; absent without a list. */
function namesAt(config: ParsedConfig, path: ConfigPath): ReadonlySet<unknown> | undefined {
  const node = nodeAt(config, path);
  return node?.kind === "list" ? new Set(node.items.map((item) => plainValue(config, item))) : undefined;
}

type WrittenEntry = Omit<ConfiguredEntry, "state">;

function writtenEntries(config: ParsedConfig, member: ConfigPath): WrittenEntry[] {
  const node = nodeAt(config, member);
  if (node === undefined || (node.kind === "scalar" && node.value === null)) return [];
  if (node.kind === "list") return node.items.map((item, index) => listedEntry(config, [...member, index], item));
  if (node.kind === "scalar") throw invalidConfig(config.file, `${member.join(".")} is no object`);
  // Version 2 of opencode has the servers one level deeper. A server of version 1 may have this name, too.
  if (member.at(-1) === "mcp") {
    const inner = nodeAt(config, [...member, "servers"]);
    const isServer = inner?.kind === "table" && inner.members.some(({ name }) => name === "type" || name === "enabled");
    if (inner?.kind === "table" && !isServer) return writtenEntries(config, [...member, "servers"]);
  }
  const value = plainValue(config, node) as Readonly<Record<string, unknown>>;
  return Object.entries(value).map(([name, entry]) => ({ name, path: [...member, name], value: entry }));
}

function listedEntry(config: ParsedConfig, path: ConfigPath, item: ConfigNode): WrittenEntry {
  const value = plainValue(config, item);
  const name = nodeAt(config, [...path, "name"]);
  if (name?.kind === "scalar" && typeof name.value === "string") return { name: name.value, path, value };
  throw invalidConfig(`${config.file}, ${path.join(".")}`, "name: expected a text");
}
