import { type Client, type ClientId, formatOf } from "@agentprint/client-configs";
import { stringify as toYaml } from "yaml";

const COMMAND = "npx";
const ARGS = ["-y", "@agentprint/mcp-server"];
const PLATFORMS = { darwin: "macOS", linux: "Linux", win32: "Windows" } as const;

/** A configuration that starts the MCP server, and a file that can contain it. */
export interface Configuration {
  readonly client: Client;
  readonly text: string;
  readonly format: string;
  /** The name of one of the client's files. */
  readonly file: string;
}

/** The entries for clients whose files do not use `{ command, args }`. */
const ENTRIES: Readonly<Partial<Record<ClientId, object>>> = {
  vscode: { type: "stdio", command: COMMAND, args: ARGS },
  opencode: { type: "local", command: [COMMAND, ...ARGS], enabled: true },
  kilo: { type: "local", command: [COMMAND, ...ARGS], enabled: true },
  copilot: { type: "local", command: COMMAND, args: ARGS, tools: ["*"] },
  crush: { type: "stdio", command: COMMAND, args: ARGS },
  goose: { name: "agentprint", type: "stdio", enabled: true, cmd: COMMAND, args: ARGS },
};

/** Returns, for each client, the configuration that starts the MCP server. */
export function configurations(clients: readonly Client[]): Configuration[] {
  return clients.map((client) => {
    const [place] = client.files;
    if (!place) throw new Error(`no file of ${client.id} is known`);
    const file = typeof place.path === "string" ? place.path : place.path.linux;
    const member = place.member.filter((name) => name !== "projects" && name !== "{project}");
    const entry = ENTRIES[client.id] ?? { command: COMMAND, args: ARGS };
    // Each Continue file is one block that contains a list of servers.
    const value =
      client.id === "continue"
        ? { name: "agentprint", version: "1.0.0", schema: "v1", mcpServers: [{ name: "agentprint", ...entry }] }
        : member.reduceRight<object>((inner, name) => ({ [name]: inner }), { agentprint: entry });
    const format = formatOf(file);
    return { client, text: textOf(value, format), format: format === "jsonc" ? "json" : format, file };
  });
}

/** Returns the text of `apps/mcp-server/clients.md`, which shows the configurations to copy. */
export function mcpServerPage(clients: readonly Client[]): string {
  const sections = configurations(clients).map(
    ({ client, text, format }) =>
      `## ${client.name}\n\n${[...new Set(client.files.flatMap(filesOf))].join(", ")}; see ${client.source}\n\n\`\`\`${format}\n${text}\`\`\`\n`,
  );
  return `# Configurations

Each client's command for the MCP server: add the entry to the servers of the file. \`~\` is the home folder, and a
relative path begins in the project folder. A test writes this page, reads each configuration as \`agentprint
--mcp-config\` does, and starts what it says.

${sections.join("\n")}`;
}

function filesOf({ path }: Client["files"][number]): string[] {
  if (typeof path === "string") return [`\`${path}\``];
  return Object.entries(PLATFORMS).map(
    ([platform, name]) => `${name}: \`${path[platform as keyof typeof PLATFORMS]}\``,
  );
}

function textOf(value: object, format: string): string {
  if (format === "toml") {
    return `[mcp_servers.agentprint]\ncommand = ${JSON.stringify(COMMAND)}\nargs = ${JSON.stringify(ARGS)}\n`;
  }
  if (format === "yaml") return toYaml(value);
  const json = JSON.stringify(value, undefined, 2);
  // Short lists are on one line, as this repository's formatter writes them.
  return `${json.replace(/\[\s+([^\]]+?)\s+\]/g, (_, items: string) => `[${items.replace(/\s*\n\s*/g, " ")}]`)}\n`;
}
