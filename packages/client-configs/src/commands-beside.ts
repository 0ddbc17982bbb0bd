import type { Client } from "./client.ts";
import { SHELL } from "./client-references.ts";
import type { ConfigNode, ConfigPath } from "./config-node.ts";
import { clientOfFile } from "./locate-files.ts";
import { nodeAt, type ParsedConfig, plainValue } from "./parsed-config.ts";

/** A value that makes a client run something outside a server's launch. */
export interface CommandBeside {
  /** The path of the value in the configuration. */
  readonly path: ConfigPath;
  /** The place of the value, in UTF-16 code units. */
  readonly start: number;
  /** A shell command line, or a value that the client reads differently. */
  readonly value: unknown;
}

/** The members of an entry, in any client's spelling, because people copy entries from one client to another. */
const OF_ENTRIES: readonly ConfigPath[] = [
  // Claude Code, for a URL: https://code.claude.com/docs/en/mcp
  ["headersHelper"],
  // VS Code: https://code.visualstudio.com/docs/agents/reference/mcp-configuration
  ["dev", "debug", "debugpyPath"],
];

/**
 * The members of a Gemini CLI file outside its entries; Qwen Code has the same settings:
 * https://geminicli.com/docs/reference/configuration/
 */
const OF_GEMINI: readonly ConfigPath[] = [
  ["mcp", "serverCommand"],
  ["tools", "discoveryCommand"],
  ["tools", "callCommand"],
  ["mcpServerCommand"],
  ["toolDiscoveryCommand"],
  ["toolCallCommand"],
];

/**
 * Returns the values in an entry that make some client run a command in addition to the server's launch.
 *
 * @param entry The path of the entry
 * @throws {@link ClientConfigError} when two members share a name
 *
 * @example
 * ```ts
 * import { commandsOfEntry, parseConfig } from "@agentprint/client-configs";
 *
 * const text = '{"mcpServers":{"web":{"url":"https://mcp.example.com","headersHelper":"./token.sh"}}}';
 * const [command] = commandsOfEntry(await parseConfig(text, ".mcp.json"), ["mcpServers", "web"]);
 * console.log(command?.value); // ./token.sh
 * ```
 */
export function commandsOfEntry(config: ParsedConfig, entry: ConfigPath): CommandBeside[] {
  const besides = OF_ENTRIES.flatMap((member) => commandAt(config, [...entry, ...member]));
  const node = clientOfFile(config.file)?.references === "crush" ? nodeAt(config, entry) : undefined;
  return [...besides, ...(node ? shellTextsIn(node, entry) : [])];
}

/** Returns the texts in a Crush entry that contain a shell command. */
function shellTextsIn(node: ConfigNode, path: ConfigPath): CommandBeside[] {
  if (node.kind === "table") return node.members.flatMap(({ name, value }) => shellTextsIn(value, [...path, name]));
  if (node.kind === "list") return node.items.flatMap((item, index) => shellTextsIn(item, [...path, index]));
  const { value, start } = node;
  return typeof value === "string" && SHELL.test(value) ? [{ path, start, value }] : [];
}

/**
 * Returns the values in a file, outside its entries, that make its client run a command.
 *
 * @param client The client that reads the file; if absent, any client may read it
 * @throws {@link ClientConfigError} when two members share a name
 */
export function commandsOfFile(config: ParsedConfig, client: Pick<Client, "id"> | undefined): CommandBeside[] {
  const isReadBy = (id: Client["id"]): boolean => client === undefined || client.id === id;
  const ofGemini = isReadBy("gemini") || isReadBy("qwen") ? OF_GEMINI.flatMap((path) => commandAt(config, path)) : [];
  return [...ofGemini, ...(isReadBy("vscode") ? inputsOf(config) : [])];
}

/** Returns VS Code inputs whose value comes from a command. */
function inputsOf(config: ParsedConfig): CommandBeside[] {
  const inputs = nodeAt(config, ["inputs"]);
  const items = inputs?.kind === "list" ? [...inputs.items.keys()] : [];
  return items.flatMap((index) => {
    const type = nodeAt(config, ["inputs", index, "type"]);
    return type?.kind === "scalar" && type.value === "command" ? commandAt(config, ["inputs", index]) : [];
  });
}

function commandAt(config: ParsedConfig, path: ConfigPath): CommandBeside[] {
  const node = nodeAt(config, path);
  return node === undefined || isNothing(node) ? [] : [{ path, start: node.start, value: plainValue(config, node) }];
}

function isNothing(node: ConfigNode): boolean {
  return node.kind === "scalar" && (node.value === null || node.value === "");
}
