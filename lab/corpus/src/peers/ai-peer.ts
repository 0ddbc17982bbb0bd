import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { isJsonObject, type JsonObject } from "../../../../packages/canonical-json/src/index.ts";
import { CORPUS } from "../servers.ts";
import { type Hashes, hashPeer } from "./hash-peers.ts";
import type { Peer } from "./peer.ts";

/** The parts of the AI SDK that are used here; the SDK is installed only along with the servers. */
interface Sdk {
  readonly fingerprintTools: (tools: object) => Promise<Hashes>;
}
interface McpSdk {
  readonly createMCPClient: (options: {
    transport: object;
    protocolVersionDiscovery: boolean;
  }) => Promise<{ tools: () => Promise<object>; close: () => Promise<void> }>;
}

/**
 * Returns a peer that hashes the tools of the SDK's own MCP client with `fingerprintTools`. A refused list has a single
 * hash, the error.
 */
export async function aiPeer(version: string): Promise<Peer> {
  const { fingerprintTools } = await load<Sdk>("ai");
  const { createMCPClient } = await load<McpSdk>("@ai-sdk/mcp");
  return hashPeer("ai", `\`fingerprintTools\` of ai ${version}`, async (tools) => {
    const client = await createMCPClient({ transport: transportTo(tools), protocolVersionDiscovery: false });
    try {
      return await fingerprintTools(await client.tools());
    } catch (error) {
      return Object.fromEntries(tools.map(({ name }) => [name, `refused: ${String(error)}`]));
    } finally {
      await client.close();
    }
  });
}

async function load<Module>(name: string): Promise<Module> {
  const require = createRequire(new URL("package.json", CORPUS));
  return (await import(pathToFileURL(require.resolve(name)).href)) as Module;
}

/** Returns a transport whose other end is a server with these tools. */
function transportTo(tools: readonly JsonObject[]): object {
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/list": { tools },
  };
  const transport = {
    onmessage: undefined as ((message: object) => void) | undefined,
    start: async () => {},
    close: async () => {},
    send: async (message: unknown) => {
      if (!isJsonObject(message) || message["id"] === undefined) return;
      transport.onmessage?.({ jsonrpc: "2.0", id: message["id"], result: results[String(message["method"])] ?? {} });
    },
  };
  return transport;
}
