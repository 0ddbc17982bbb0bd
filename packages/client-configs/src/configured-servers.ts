import type { OffSwitch } from "./client.ts";
import { CLIENTS } from "./client-table.ts";
import type { ConfigMember, ConfigNode, ConfigPath } from "./config-node.ts";
import { ClientConfigError } from "./errors.ts";
import { clientOfFile } from "./locate-files.ts";
import { namePatterns } from "./name-patterns.ts";
import { invalidConfig, nodeAt, type ParsedConfig, plainValue, requireOwnNames } from "./parsed-config.ts";
import { ADDRESSES, COMMANDS, isBuiltIn, offSwitchOf } from "./server-entry.ts";

/** An entry in a configuration that has not been read as a server yet. */
export interface ConfiguredEntry {
  readonly name: string;
  /** The path of the entry in the configuration. */
  readonly path: ConfigPath;
  readonly value: unknown;
  /** `built-in`: the client itself provides the server, and the entry launches nothing. */
  readonly state: "on" | "off" | "built-in";
  /** The switch in its file that turns the server off, whether or not its client reads that switch. */
  readonly offBy?: OffSwitch;
}

/**
 * The members that hold the servers in some client's configuration; in VS Code's settings, they are nested two levels
 * deep under the same name.
 */
const MEMBERS: readonly string[] = [
  ...new Set(CLIENTS.flatMap(({ files }) => files.flatMap(({ member }) => (member.length === 1 ? member : [])))),
  "mcp.servers",
];

/**
 * Returns the members of a configuration that may hold servers, in the order of the clients: the first one that exists,
 * and every other one that contains an entry that is an object. Gemini CLI has lists of names under `mcp`, where
 * opencode has its servers.
 */
export function membersWithServers(config: ParsedConfig): string[] {
  const [first, ...others] = MEMBERS.flatMap((name) => {
    const value = nodeAt(config, [name]);
    return value === undefined ? [] : { name, value };
  });
  return first === undefined ? [] : [first, ...others.filter(hasEntry)].map(({ name }) => name);
}

function hasEntry({ value }: { readonly value: ConfigNode }): boolean {
  return valuesIn(value).some(({ kind }) => kind === "table");
}

/**
 * Returns the members that hold the servers in a file that a person passed as a configuration.
 *
 * @throws {@link ClientConfigError} when it has none of the members that hold some client's servers. An empty member
 * counts.
 */
export function requireMembersWithServers(config: ParsedConfig): [member: string, ...others: string[]] {
  const [first, ...others] = membersWithServers(config);
  if (first !== undefined) return [first, ...others];
  throw invalidConfig(config.file, `expected one of the members ${MEMBERS.join(", ")}, which may be empty`);
}

/**
 * Returns whether some client would start a server in this file: a member that holds a client's servers has an entry
 * with a command or a URL.
 *
 * @param read Names of members to skip, because they have already been read
 */
export function hasServers({ root }: ParsedConfig, read: readonly string[] = []): boolean {
  return membersOf(root).some(({ name, value }) => {
    if (read.includes(name) || !MEMBERS.includes(name)) return false;
    const inner = membersOf(value).flatMap((member) => (member.name === "servers" ? valuesIn(member.value) : []));
    return [...valuesIn(value), ...inner].some((entry) => membersOf(entry).some(isLaunch));
  });
}

function isLaunch({ name, value }: ConfigMember): boolean {
  return [...COMMANDS, ...ADDRESSES].includes(name) && !(value.kind === "scalar" && (value.value ?? "") === "");
}

function membersOf(node: ConfigNode): readonly ConfigMember[] {
  return node.kind === "table" ? node.members : [];
}

function valuesIn(node: ConfigNode): readonly ConfigNode[] {
  return node.kind === "list" ? node.items : membersOf(node).map(({ value }) => value);
}

/** Receives the error for an entry that cannot be read, with the entry's name or, if it has none, its place. */
type TellFault = (name: string, error: ClientConfigError) => void;

const throwFault: TellFault = (_, error) => {
  throw error;
};

/**
 * Returns the server entries under a member of a configuration; none if the member is absent or null.
 *
 * @param tell Called with the error for each entry that repeats a member or, in a list, has no name. By default, the
 * first such error is thrown.
 * @throws {@link ClientConfigError} when the member is neither an object nor a list of named entries, or two
 * members share a name
 */
export function entriesAt(config: ParsedConfig, member: ConfigPath, tell: TellFault = throwFault): ConfiguredEntry[] {
  const lists = clientOfFile(config.file)?.off.includes("mcp patterns") ? "mcp patterns" : "mcp lists";
  const matches = lists === "mcp patterns" ? namePatterns : namesAlone;
  const excluded = matches(namesAt(config, ["mcp", "excluded"]));
  const allowed = matches(namesAt(config, ["mcp", "allowed"]));
  return writtenEntries(config, member, tell).map((entry) => {
    const { name, value } = entry;
    const isLeftOut = excluded(name) === true || allowed(name) === false;
    return { ...entry, ...stateOf(value, isLeftOut ? lists : undefined) };
  });
}

/**
 * Returns the state of an entry with this value.
 *
 * @param leftOutBy The lists in its file that exclude it
 */
export function stateOf(value: unknown, leftOutBy?: OffSwitch): Pick<ConfiguredEntry, "state" | "offBy"> {
  if (isBuiltIn(value)) return { state: "built-in" };
  const offBy = offSwitchOf(value) ?? leftOutBy;
  return offBy === undefined ? { state: "on" } : { state: "off", offBy };
}

/**
 * Returns the names in a list next to the servers, such as the only servers that Gemini CLI connects to; `undefined` if
 * there is no list.
 */
function namesAt(config: ParsedConfig, path: ConfigPath): readonly unknown[] | undefined {
  const node = nodeAt(config, path);
  return node?.kind === "list" ? node.items.map((item) => plainValue(config, item)) : undefined;
}

function namesAlone(list: readonly unknown[] | undefined): (name: string) => boolean | undefined {
  const names = list && new Set(list);
  return (name) => names?.has(name);
}

type WrittenEntry = Omit<ConfiguredEntry, "state" | "offBy">;

function writtenEntries(config: ParsedConfig, member: ConfigPath, tell: TellFault): WrittenEntry[] {
  const node = nodeAt(config, member);
  if (node === undefined || (node.kind === "scalar" && node.value === null)) return [];
  if (node.kind === "list") {
    return node.items.flatMap((item, index) => {
      const path = [...member, index];
      return readOrTell(path.join("."), () => listedEntry(config, path, item), tell);
    });
  }
  if (node.kind === "scalar") throw invalidConfig(config.file, `${member.join(".")} is not an object`);
  // Version 2 of opencode keeps the servers one level deeper. A server of version 1 may also have this name.
  if (member.at(-1) === "mcp") {
    const inner = nodeAt(config, [...member, "servers"]);
    const isServer = inner?.kind === "table" && inner.members.some(({ name }) => name === "type" || name === "enabled");
    if (inner?.kind === "table" && !isServer) {
      requireOwnNames(config, node);
      // Version 1 starts an entry next to `servers`; in the same place, version 2 has options such as `timeout`.
      const beside = node.members.filter(({ name, value }) => name !== "servers" && membersOf(value).some(isLaunch));
      return [...writtenEntries(config, [...member, "servers"], tell), ...entriesOf(config, member, beside, tell)];
    }
  }
  requireOwnNames(config, node);
  return entriesOf(config, member, node.members, tell);
}

function entriesOf(
  config: ParsedConfig,
  member: ConfigPath,
  members: readonly ConfigMember[],
  tell: TellFault,
): WrittenEntry[] {
  return members.flatMap(({ name, value }) =>
    readOrTell(name, () => ({ name, path: [...member, name], value: plainValue(config, value) }), tell),
  );
}

function readOrTell(name: string, read: () => WrittenEntry, tell: TellFault): WrittenEntry[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof ClientConfigError)) throw error;
    tell(name, error);
    return [];
  }
}

function listedEntry(config: ParsedConfig, path: ConfigPath, item: ConfigNode): WrittenEntry {
  const value = plainValue(config, item);
  const name = nodeAt(config, [...path, "name"]);
  if (name?.kind === "scalar" && typeof name.value === "string") return { name: name.value, path, value };
  throw invalidConfig(`${config.file}, ${path.join(".")}`, "name: expected a text");
}

/**
 * Returns the names in a settings file's list, with the places of each, in UTF-16 code units; none if there is no list.
 *
 * @throws {@link ClientConfigError} when the member is not a list of texts
 */
export function namesWithPlaces(config: ParsedConfig, member: string): ReadonlyMap<string, number> {
  const node = nodeAt(config, [member]);
  if (node === undefined) return new Map();
  const items = node.kind === "list" ? node.items : [];
  const names = items.flatMap((item): [string, number][] =>
    item.kind === "scalar" && typeof item.value === "string" ? [[item.value, item.start]] : [],
  );
  if (node.kind === "list" && names.length === items.length) return new Map(names);
  throw invalidConfig(`${config.file}, ${member}`, "expected a list of names");
}
