import { fileURLToPath } from "node:url";

/**
 * Returns the command of a server on the official SDK that runs in its own process, offers these tools and echoes
 * calls.
 */
export function stdioProgram(tools: readonly object[]): { command: string; args: string[]; cwd: string } {
  const program = `
    import { Server } from "@modelcontextprotocol/server";
    import { serveStdio } from "@modelcontextprotocol/server/stdio";
    serveStdio(() => {
      const server = new Server({ name: "files", version: "1.0.0" }, { capabilities: { tools: { listChanged: true } } });
      server.setRequestHandler("tools/list", () => ({ tools: ${JSON.stringify(tools)} }));
      server.setRequestHandler("tools/call", ({ params }) => ({ content: [{ type: "text", text: params.name }] }));
      return server;
    });
  `;
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  return { command: process.execPath, args: ["--input-type=module", "--eval", program], cwd };
}
