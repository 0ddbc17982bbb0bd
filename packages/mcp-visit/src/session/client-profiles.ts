import { deepFreeze, type JsonObject } from "@agentprint/canonical-json";
import type { View } from "@agentprint/mcp";
import packageJson from "../../package.json" with { type: "json" };
import { VisitError } from "../errors.ts";

/** The name, capabilities and `User-Agent` that a client sends to a server. */
export interface ClientProfile {
  /** The id that `--as` of `pin` accepts and a lock holds. */
  readonly id: string;
  /** The `clientInfo` of `initialize` and of every request without a handshake. */
  readonly clientInfo: JsonObject;
  /** The capabilities that the client declares, in both eras. */
  readonly capabilities: JsonObject;
  /** The `User-Agent` of the client's HTTP requests. */
  readonly userAgent: string;
}

/**
 * The combined capabilities of the common clients. Each profile declares all of them, so that a server that offers more
 * to a client with more capabilities shows everything; a profile adds the members that only its client sends.
 */
const ALL_CAPABILITIES: JsonObject = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

/** The common clients, with the default first. The names and versions are those that the clients send. */
export const CLIENT_PROFILES: readonly ClientProfile[] = deepFreeze<readonly ClientProfile[]>([
  {
    // From requests of Claude Code 2.1.289 that stdio relays and proxies recorded; it sends the same members in both
    // eras.
    id: "claude-code",
    clientInfo: {
      name: "claude-code",
      title: "Claude Code",
      version: "2.1.289",
      description: "Anthropic's agentic coding tool",
      websiteUrl: "https://claude.com/claude-code",
    },
    capabilities: ALL_CAPABILITIES,
    userAgent: "claude-code/2.1.289 (cli)",
  },
  {
    // From a published trace of Cursor's streamable HTTP startup, and recorded requests of Cursor 3; its capabilities
    // also name the server features that it uses.
    id: "cursor",
    clientInfo: { name: "cursor-vscode", version: "1.0.0" },
    capabilities: { tools: true, prompts: true, resources: true, logging: false, ...ALL_CAPABILITIES },
    userAgent: "Cursor/1.0.0",
  },
  {
    // From VS Code's mcpServerRequestHandler.ts and its recorded requests: product name and version, tasks of
    // 2025-11-25.
    id: "vscode",
    clientInfo: { name: "Visual Studio Code", version: "1.140.0" },
    capabilities: {
      ...ALL_CAPABILITIES,
      tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
    },
    userAgent: "Visual Studio Code/1.140.0",
  },
  {
    // From the log that Claude Desktop writes of its messages to servers.
    id: "claude-desktop",
    clientInfo: { name: "claude-ai", version: "0.1.0" },
    capabilities: ALL_CAPABILITIES,
    userAgent: "Claude-User",
  },
  {
    // The community's registry of clients (mcp-client-capabilities) uses this name.
    id: "windsurf",
    clientInfo: { name: "windsurf-client", version: "1.0.0" },
    capabilities: ALL_CAPABILITIES,
    userAgent: "Go-http-client/1.1",
  },
  {
    // From recorded requests of Codex 0.154.0.
    id: "codex",
    clientInfo: { name: "codex-mcp-client", title: "Codex", version: "0.154.0" },
    capabilities: { experimental: { "codex/auth-change": {} }, ...ALL_CAPABILITIES },
    userAgent: "codex-mcp-client/0.154.0",
  },
  {
    // From recorded requests of Gemini CLI 0.59.0.
    id: "gemini-cli",
    clientInfo: { name: "gemini-cli-mcp-client", version: "0.59.0" },
    capabilities: ALL_CAPABILITIES,
    userAgent: "node",
  },
]);

/** The client that a visit imitates by default. */
export const DEFAULT_CLIENT = "claude-code";

/** This program under its own name, without capabilities. */
const OPEN_VISITOR: ClientProfile = {
  id: "bare",
  clientInfo: { name: "agentprint", version: packageJson.version },
  capabilities: {},
  userAgent: `agentprint/${packageJson.version}`,
};

/** A client without capabilities, under the name that the official Python SDK sends by default. */
const NAMELESS_CLIENT: ClientProfile = {
  id: "bare",
  clientInfo: { name: "mcp", version: "0.1.0" },
  capabilities: {},
  userAgent: "python-httpx/0.28.1",
};

/** Returns the profile with the given id; `bare` is this program itself. */
export function clientProfile(id: string): ClientProfile | undefined {
  return id === OPEN_VISITOR.id ? OPEN_VISITOR : CLIENT_PROFILES.find((profile) => profile.id === id);
}

/** Returns whether a client declares no capabilities. */
export function isBare({ capabilities }: ClientProfile): boolean {
  return Object.keys(capabilities).length === 0;
}

/** Returns the profile that a view uses. */
export function profileOf(view: View, client: ClientProfile): ClientProfile {
  return view === "client" || client.id === OPEN_VISITOR.id ? client : NAMELESS_CLIENT;
}

/**
 * Returns the profile that a visit's options name.
 *
 * @throws {@link VisitError} `invalid-target` if there is none
 */
export function requireProfile({
  client,
  capabilities,
}: {
  readonly client: string;
  readonly capabilities?: JsonObject;
}): ClientProfile {
  const profile = clientProfile(client);
  if (profile !== undefined) return capabilities === undefined ? profile : { ...profile, capabilities };
  throw new VisitError("invalid-target", `there is no client ${client} to visit as`, {
    expected: [...CLIENT_PROFILES, OPEN_VISITOR].map(({ id }) => id).join(", "),
  });
}
