import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import type { Client, ClientFile } from "../../src/client.ts";
import { formatOf } from "../../src/parse-config.ts";

const PLATFORMS = { darwin: "macOS", linux: "Linux", win32: "Windows" } as const;

const MERGES = {
  entry: "only the first entry",
  members: "the first entry, completed by the others' members at every depth",
} as const;

/** Returns `docs/clients.md`: each client's configuration files and their formats. */
export function clientsPage(clients: readonly Client[]): string {
  const places = clients.flatMap((client) =>
    client.files.map((file) => [
      client.name,
      file.scope,
      placesOf(file),
      formatOf(pathsOf(file)[0]?.[1] ?? ""),
      `\`${file.member.join(" › ")}\``,
      file.source ?? client.source,
      file.unverified ?? "",
    ]),
  );
  const merges = clients
    .filter(({ files }) => files.length > 1)
    .map(({ name, merge }) => [
      name,
      merge === undefined ? "each entry is taken by itself" : MERGES[merge.by],
      merge?.source ?? "",
      merge === undefined ? "what counts" : (merge.unverified ?? ""),
    ]);
  const spellings = clients.map(({ id, name, off, spelling, source }) => [
    name,
    `\`${id}\``,
    spelling.stdio,
    spelling.http,
    offInWords(off),
    source,
  ]);
  const references = clients.flatMap(({ name, variables }) =>
    variables ? [[name, `\`${variables.form}\``, variables.source, variables.unverified ?? ""]] : [],
  );
  const settings = clients.flatMap(({ name, files }) =>
    files.flatMap((file) =>
      (file.settings ?? []).map(({ path, member, isPersonal, source }) => [
        name,
        `\`${path}\``,
        `\`${member}\``,
        placesOf(file),
        isPersonal ? "one person" : "everyone",
        source,
      ]),
    ),
  );
  return `# Clients

Where each MCP client keeps its servers, and how it writes them. \`init\` and \`--mcp-config\` read all of these.
A test writes this page from the clients in \`packages/client-configs/src/clients\`.
A file that a command line or \`configurations\` names must have one of the members with servers, which may be empty: without one, every command
ends with exit code 2, because it cannot tell what the file starts.

## Files

\`~\` is the home folder, \`$XDG_CONFIG_HOME\` is \`~/.config\`, \`$CODEX_HOME\` is \`~/.codex\` and \`$COPILOT_HOME\` is \`~/.copilot\` where the variable
is not set; a relative path begins in the project folder. A file that several clients read is read once, as a file of the
first. \`jsonc\` is JSON with comments and trailing commas. The last column lists what
the client's documentation does not say.

${markdownTable(["client", "scope", "file", "format", "servers below", "source", "not documented"], places)}

## Other files

\`doctor\` names the files of the project that have servers although no client in this table reads them: \`mcp*.json\`, and in each folder whose name
begins with a dot \`mcp.json\`, \`mcp/*.json\` and \`settings*.json\`, or \`.jsonc\`. Its exit code is then 1, or 2 if it cannot read one. What
\`configurations\` of \`agentprint.config.json\` lists is compared like a file of the table. \`doctor\` follows no link out of the project, or to a folder.
A name that differs from one in this table only in case (\`.MCP.json\`, \`.Cursor/mcp.json\`) is a finding of \`check\` and \`doctor\`: clients on macOS
and Windows read it, and those on Linux do not.

## Several files

Which entry a client starts if several of its files have one of the same name. "First" is the order of the table above:
for Claude Code, the project's entries in the home folder come before the project's file, which comes before the user's. An entry in the file of one agent (\`agents\`, \`cli-agents\`) is always taken by itself.

${markdownTable(["client", "what counts", "source", "not documented"], merges)}

## Spelling

An entry in any of these spellings is read in every file, whichever client the file belongs to.
Next to \`mcp.servers\`, a member of \`mcp\` with a command or an address is an entry, too.

Each client reads only its own key of a file. \`doctor\` names a file of the project or of the home folder that has servers under a key that no client in the table reads there, such as \`servers\` next to \`mcpServers\` in \`.mcp.json\`, or \`mcp.servers\` in \`.vscode/settings.json\`, and ends with 1.
The commands read every member that may hold servers in a file that \`--mcp-config\` names or \`configurations\` of \`agentprint.config.json\`
lists, if at least one of its entries is an object; \`pin\` refuses a name that two members launch differently.

${markdownTable(["client", "id", "a server that is started", "a server over HTTP", "switched off by", "source"], spellings)}

## References

How these clients refer to the variable \`NAME\` in a command, its arguments and an address. On a terminal, \`pin\` offers to write such a reference instead of a secret.
It offers nothing for other clients, because their documentation does not mention such references.

${markdownTable(["client", "reference", "source", "not documented"], references)}

## Switched off next to the file

Settings files that list servers the client does not start. "Same folder" is the folder of the file with the servers. A name on one of
these lists stays off whatever another file allows: \`enabledMcpjsonServers\` and \`enableAllProjectMcpServers\` of Claude Code answer its question
before a first start, and a server that they do not name is started once a person says yes.

${markdownTable(["client", "file", "list", "servers of", "holds for", "source"], settings)}

Other programs read \`.mcp.json\`, too, and no list of Claude Code stops them. Therefore \`check\` compares such an entry with the lock anyway. It reads
no personal files, and a switch that the file's client is not documented to read (\`disabled: true\` in \`.mcp.json\`) does
not turn a server off. It starts the pinned launch with the values of such an entry. If the entry has another launch,
that is a difference, and the pinned launch is started if the entry and the environment have its values. Neither kind of entry is started by \`init\`, or put behind the guard.
`;
}

function offInWords(off: Client["off"]): string {
  const words = {
    "disabled: true": "`disabled: true`",
    "enabled: false": "`enabled: false`",
    "mcp lists": "its name in `mcp.excluded`, or not in `mcp.allowed`",
    "mcp patterns": "its name in `mcp.excluded`, or not in `mcp.allowed`, where `*` and `?` are wildcards",
  };
  return off.map((each) => words[each]).join(", ") || "none in the file";
}

function pathsOf({ path }: ClientFile): [platform: string, path: string][] {
  if (typeof path === "string") return [["", path]];
  return Object.entries(PLATFORMS).map(([platform, name]) => [name, path[platform as keyof typeof PLATFORMS]]);
}

function placesOf(file: ClientFile): string {
  return pathsOf(file)
    .map(([platform, path]) => `${platform && `${platform}: `}\`${path}\``)
    .join("<br>");
}
