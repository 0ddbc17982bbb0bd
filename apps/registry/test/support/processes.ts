import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const SOURCE = "--conditions=@agentprint/source";

/** A registry in a process of its own. */
export interface RegistryProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends it as a machine does that loses its power: nothing is cleaned up. */
  readonly kill: () => Promise<void>;
  /** Ends it as an operator does; returns the exit code. */
  readonly end: () => Promise<number | null>;
}

const started = new Set<ChildProcess>();

/** Starts a registry, or another program that says where it answers, on a free port, with settings without their prefix. */
export async function startProcess(
  settings: Readonly<Record<string, string>>,
  program: readonly string[] = [MAIN],
): Promise<RegistryProcess> {
  const all = { port: "0", log_level: "silent", address_limit: "1000000", key_limit: "1000000", ...settings };
  const child = spawn(process.execPath, [SOURCE, ...program], {
    env: environmentOf(all),
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.add(child);
  const exited = once(child, "exit").finally(() => started.delete(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^The registry answers at (http:\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    const end = async (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal);
      return (await exited)[0];
    };
    return { url, child, kill: async () => void (await end("SIGKILL")), end: () => end("SIGTERM") };
  }
  throw new Error(`the registry ended with ${(await exited)[0]} before it answered`);
}

/** Kills every registry that still runs, for example because a test failed. */
export function killProcesses(): void {
  for (const child of started) child.kill("SIGKILL");
}

/** The environment of settings. */
export function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const named = Object.entries(settings).map(([name, value]) => [`AGENTPRINT_REGISTRY_${name.toUpperCase()}`, value]);
  return { ...process.env, ...Object.fromEntries(named) };
}
