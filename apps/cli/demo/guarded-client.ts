import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { AGENTPRINT } from "./story.ts";

/** The result of a request. */
export interface Result {
  readonly tools?: readonly { readonly name: string }[];
  readonly content?: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

/**
 * Starts the guard instead of a server, sends requests one by one as an MCP client, and returns the results.
 */
export async function askThroughGuard(
  folder: string,
  args: readonly string[],
  requests: readonly { readonly method: string; readonly params?: object }[],
): Promise<readonly Result[]> {
  const child = spawn(process.execPath, [AGENTPRINT, ...args], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "demo", version: "1.0.0" };
  const initialize = {
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  };
  const results: Result[] = [];
  for (const [id, request] of [initialize, ...requests].entries()) {
    send({ id, ...request });
    for (;;) {
      const line = await lines.next();
      const message = line.done === true ? { id, result: {} } : JSON.parse(line.value);
      // The server may send other messages before its answer.
      if (message.id !== id || message.method !== undefined) continue;
      results.push(message.result ?? {});
      break;
    }
    if (id === 0) send({ method: "notifications/initialized" });
  }
  const ended = once(child, "close");
  child.stdin.end();
  child.kill();
  await ended;
  return results.slice(1);
}
