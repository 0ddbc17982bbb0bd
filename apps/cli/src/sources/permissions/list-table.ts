import { type ConfigNode, lineAt, nodeAt, type ParsedConfig } from "@agentprint/client-configs";

/**
 * An entry of a list in which a client or a policy names tools that may be called, may be called after a question, or
 * may not be called.
 */
export interface PermissionEntry {
  /** The file, as it is shown. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The entry as it is written in the file. */
  readonly written: string;
  /** `allow`: calls are allowed, or the tool is offered; `restrict`: calls are refused, asked about or limited. */
  readonly effect: "allow" | "restrict";
  /** Returns whether the entry covers a tool of a server, by the names that the client uses for both. */
  covers(server: string, tool: string): boolean;
}

/** A list in a file: the entries as they are written, with their lines. */
interface WrittenEntry {
  readonly written: string;
  readonly line: number;
}

/**
 * Returns whether a text matches a pattern in which each `*` stands for any characters. The running time grows with the
 * length of the text, whatever the pattern is.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Files of a project in which a client lists tools, and the reader of their lists. */
export interface PermissionList {
  /** The path from the folder of the project; a folder stands for all files in it with this ending, at any depth. */
  readonly path: string | { readonly folder: string; readonly ending: string };
  /** The document that describes the format. */
  readonly source: string;
  /** `whole`: the file is a configuration; `front-matter`: YAML between two lines `---` at its beginning. */
  readonly part: "whole" | "front-matter";
  read(file: string, config: ParsedConfig): PermissionEntry[];
}

const CLAUDE_PERMISSIONS = "https://code.claude.com/docs/en/permissions";

const claudeSettings: PermissionList["read"] = (file, config) => [
  ...claudeCodeEntries(file, "allow", entriesAtPath(config, ["permissions", "allow"])),
  ...["ask", "deny"].flatMap((list) =>
    claudeCodeEntries(file, "restrict", entriesAtPath(config, ["permissions", list])),
  ),
];

const claudeFrontMatter: PermissionList["read"] = (file, config) => [
  ...["allowed-tools", "tools"].flatMap((member) => claudeCodeEntries(file, "allow", entriesAtPath(config, [member]))),
  ...claudeCodeEntries(file, "restrict", entriesAtPath(config, ["disallowedTools"])),
];

const vsCodeFrontMatter: PermissionList["read"] = (file, config) =>
  vsCodeEntries(file, entriesAtPath(config, ["tools"]));

/** Returns the reader of the lists in a server's entry, which name only this server's tools. */
function ofServers(member: string, allowed: string, refused: string): PermissionList["read"] {
  return (file, config) =>
    membersAtPath(config, [member]).flatMap(({ name }) =>
      (
        [
          [allowed, "allow"],
          [refused, "restrict"],
        ] as const
      ).flatMap(([list, effect]) =>
        entriesAtPath(config, [member, name, list]).map((entry) => ({
          ...entry,
          file,
          effect,
          covers: (server: string, tool: string) => server === name && tool === entry.written,
        })),
      ),
    );
}

/** Reads the rules for calls in agentprint's own policy. */
const ownPolicy: PermissionList["read"] = (file, config) =>
  membersAtPath(config, ["servers"]).flatMap(({ name: listed }) =>
    membersAtPath(config, ["servers", listed, "calls"]).map(({ name: written, start }) => ({
      file,
      line: lineAt(config, start),
      written,
      effect: "restrict",
      covers: (server: string, tool: string) => server === listed && tool === written,
    })),
  );

/** Every list that is read, by file. */
export const PERMISSION_LISTS: readonly PermissionList[] = [
  ...[".claude/settings.json", ".claude/settings.local.json"].map(
    (path): PermissionList => ({ path, source: CLAUDE_PERMISSIONS, part: "whole", read: claudeSettings }),
  ),
  {
    path: { folder: ".claude/skills", ending: "/SKILL.md" },
    source: "https://code.claude.com/docs/en/skills",
    part: "front-matter",
    read: claudeFrontMatter,
  },
  {
    path: { folder: ".claude/agents", ending: ".md" },
    source: "https://code.claude.com/docs/en/sub-agents",
    part: "front-matter",
    read: claudeFrontMatter,
  },
  {
    path: { folder: ".claude/commands", ending: ".md" },
    source: "https://code.claude.com/docs/en/slash-commands",
    part: "front-matter",
    read: claudeFrontMatter,
  },
  ...["agents", "chatmodes", "prompts"].map(
    (folder): PermissionList => ({
      path: { folder: `.github/${folder}`, ending: ".md" },
      source: "https://docs.github.com/en/copilot/reference/custom-agents-configuration",
      part: "front-matter",
      read: vsCodeFrontMatter,
    }),
  ),
  ...[".vscode", ".github"].map(
    (folder): PermissionList => ({
      path: { folder, ending: ".toolsets.jsonc" },
      source: "https://code.visualstudio.com/docs/agent-customization/tool-sets",
      part: "whole",
      read: (file, config) =>
        membersAtPath(config, []).flatMap(({ name }) => vsCodeEntries(file, entriesAtPath(config, [name, "tools"]))),
    }),
  ),
  {
    path: ".gemini/settings.json",
    source: "https://google-gemini.github.io/gemini-cli/docs/tools/mcp-server.html",
    part: "whole",
    read: ofServers("mcpServers", "includeTools", "excludeTools"),
  },
  {
    path: ".codex/config.toml",
    source: "https://developers.openai.com/codex/mcp",
    part: "whole",
    read: ofServers("mcp_servers", "enabled_tools", "disabled_tools"),
  },
  {
    path: "agentprint.config.json",
    source: "https://www.npmjs.com/package/@agentprint/policy",
    part: "whole",
    read: ownPolicy,
  },
];

/** Returns the texts of the list at a path, or the parts of a comma-separated text there; none if there is neither. */
function entriesAtPath(config: ParsedConfig, path: readonly string[]): WrittenEntry[] {
  const node = nodeAt(config, path);
  return node === undefined ? [] : entriesOf(config, node);
}

/** Returns the names and nodes of a table's members at a path; none if there is no table. */
function membersAtPath(
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

/**
 * Returns the entries of a list of VS Code or of GitHub Copilot that are about MCP tools: `server/tool` and `server/*`.
 *
 * @see https://code.visualstudio.com/docs/agent-customization/tool-sets
 * @see https://docs.github.com/en/copilot/reference/custom-agents-configuration
 */
function vsCodeEntries(file: string, entries: readonly WrittenEntry[]): PermissionEntry[] {
  return entries.flatMap((entry): PermissionEntry[] => {
    const [, listed, name] = /^(.*)\/([^/]+)$/s.exec(entry.written) ?? [];
    if (listed === undefined) return [];
    const covers = (server: string, tool: string): boolean => server === listed && (name === "*" || tool === name);
    return [{ ...entry, file, effect: "allow", covers }];
  });
}

/** Returns a name as Claude Code spells it in the name of a tool. */
const spelled = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");

/**
 * Returns the entries of a list of Claude Code that are about MCP tools: `mcp__server`, `mcp__server__tool`, and
 * patterns with `*`. An entry with parentheses has no effect, nor does a pattern that allows tools of any server.
 *
 * @see https://code.claude.com/docs/en/permissions
 */
function claudeCodeEntries(
  file: string,
  effect: PermissionEntry["effect"],
  entries: readonly WrittenEntry[],
): PermissionEntry[] {
  const aboutMcp = entries.filter(({ written }) => written.startsWith("mcp__") && !written.includes("("));
  return aboutMcp.map((entry) => ({
    ...entry,
    file,
    effect,
    covers: (server, tool) => {
      const ofServer = `mcp__${spelled(server)}`;
      const name = `${ofServer}__${spelled(tool)}`;
      const { written } = entry;
      if (!written.includes("*")) return written === ofServer || written === name;
      const isOfServer = written.startsWith(`${ofServer}__`) || effect === "restrict";
      return isOfServer && matchesPattern(written, name);
    },
  }));
}
