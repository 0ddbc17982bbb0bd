import type { LockFile } from "@agentprint/mcp-lock";
import type { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { MCPServer } from "@openai/agents";
import { agentsServer } from "./support/agents-server.ts";
import { DELETE_FILE, FILE_TOOLS, fileLock, fileServer } from "./support/file-server.ts";

// Names that the examples in the documentation use without declaring them.

export const lock: LockFile = fileLock;

/** A transport to a server that offers an unlocked tool. */
export const transport = (): InMemoryTransport => {
  const files = fileServer();
  files.tools = [...FILE_TOOLS, DELETE_FILE];
  return files.connect();
};

const files = fileServer();
files.tools = [...FILE_TOOLS, DELETE_FILE];

/** A server for the OpenAI Agents SDK that offers the same tool. */
export const mcpServer: MCPServer = await agentsServer(files);
