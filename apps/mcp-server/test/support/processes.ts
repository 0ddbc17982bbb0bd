import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { environmentOf } from "./server.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const SOURCE = "--conditions=@agentprint/source";

/** A server over HTTP in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Ends it as a machine does that loses its power: nothing is cleaned up. */
  readonly kill: () => Promise<void>;
  /** Ends it as an operator does; returns the exit code. */
  readonly end: () => Promise<number | null>;
}

const started = new Set<ChildProcess>();

/** Starts a server on a free port, on the trail at `url`. */
export async function startProcess(url: string): Promise<ServerProcess> {
  const settings = environmentOf({
    port: "0",
    log_level: "silent",
    task_minute_limit: "1000000",
    session_limit: "1000",
  });
  const child = spawn(process.execPath, [SOURCE, MAIN, "serve", "--http"], {
    env: { ...process.env, ...settings, AGENTPRINT_TRAIL_URL: url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  started.add(child);
  const exited = once(child, "exit").finally(() => started.delete(child));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await exited)[0];
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const [, found] = /^The MCP server answers at (http:\S+)$/.exec(line) ?? [];
    if (found !== undefined) {
      return { url: found, kill: async () => void (await end("SIGKILL")), end: () => end("SIGTERM") };
    }
  }
  throw new Error(`the server ended with ${(await exited)[0]} before it answered`);
}

/** Kills every server that still runs, for example because a test failed. */
export function killProcesses(): void {
  for (const child of started) child.kill("SIGKILL");
}
