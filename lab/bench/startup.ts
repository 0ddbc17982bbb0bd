import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Comparison, Suite } from "./measure.ts";

const PACKAGE = dirname(fileURLToPath(import.meta.resolve("agentprint/package.json")));
const MAIN = join(PACKAGE, "dist/main.js");
const HOOK = fileURLToPath(new URL("../../integrations/claude-code/hooks/pre-tool-use.mjs", import.meta.url));
const SERVERS = 20;
/** The command's default number of servers visited at the same time. */
const CONCURRENCY = 4;

/** The configuration with which only one era is visited. */
const ONE_ERA = "one-era.config.json";

/**
 * A folder with a small file, a server, and lock files for one and for twenty servers; it also holds a separate cache
 * and state.
 */
class Folder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "agentprint-bench-"));

  constructor() {
    copyFileSync(new URL("startup-server.mjs", import.meta.url), join(this.path, "server.mjs"));
    this.#configure("agentprint.config.json", {});
    this.#configure(ONE_ERA, { protocol: "2025-11-25" });
    writeFileSync(join(this.path, "small.json"), '{"name":"agentprint","count":3}\n');
  }

  /** Writes a configuration whose visits do not wait for late notifications. */
  #configure(file: string, visits: object): void {
    writeFileSync(join(this.path, file), JSON.stringify({ visits: { settle: 0, ...visits } }));
  }

  /** Runs a program to its end, as a shell does; returns its output. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ""): string {
    const own = { XDG_CACHE_HOME: join(this.path, "cache"), XDG_STATE_HOME: join(this.path, "state") };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.path,
      encoding: "utf8",
      env: { ...process.env, ...own, ...env },
      input,
    });
    if (status !== 0) throw new Error(`${args.join(" ")}: exit code ${status}\n${stderr}`);
    return stdout;
  }

  agentprint(...args: readonly string[]): string {
    return this.run([MAIN, ...args]);
  }

  /** Pins the given number of servers, each under its own name. */
  pin(lock: string, count: number): void {
    const server = { command: process.execPath, args: ["server.mjs"] };
    const entries = Array.from({ length: count }, (_, index) => [`server-${index}`, server]);
    writeFileSync(join(this.path, "servers.json"), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
    this.agentprint("pin", "--lock", lock, "--mcp-config", "servers.json");
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Starts the given number of servers, a few at a time, and ends each by closing its input. */
async function startBare(cwd: string, count: number, atOnce: number): Promise<void> {
  let left = count;
  const startNext = async (): Promise<void> => {
    while (left-- > 0) {
      const child = spawn(process.execPath, ["server.mjs"], { cwd, stdio: ["pipe", "ignore", "inherit"] });
      child.stdin.end();
      await once(child, "close");
    }
  };
  await Promise.all(Array.from({ length: atOnce }, startNext));
}

let folder: Folder | undefined;

function openFolder(): Folder {
  folder ??= new Folder();
  return folder;
}

function commandRow(name: string, bar: number, args: readonly string[], expected: RegExp): () => Comparison {
  return () => commandComparison(name, bar, args, expected);
}

function commandComparison(name: string, bar: number, args: readonly string[], expected: RegExp): Comparison {
  const made = openFolder();
  return {
    name,
    reference: "bare Node",
    ours: "agentprint",
    bar,
    // Bare Node prints nothing.
    isCorrect: (output) => output === "" || expected.test(String(output)),
    contenders: { agentprint: () => made.agentprint(...args), "bare Node": () => made.run(["--eval", "0"]) },
  };
}

/** Runs the Claude Code plugin's hook for a tool that a check has just verified. */
function hookComparison(bar: number): Comparison {
  const made = openFolder();
  const env = { AGENTPRINT_LOCK: join(made.path, "one.lock") };
  made.pin("one.lock", 1);
  made.run([HOOK], env, JSON.stringify({ hook_event_name: "SessionStart", cwd: made.path }));
  made.agentprint("check", "--lock", "one.lock");
  const call = JSON.stringify({ tool_name: "mcp__server-0__add", cwd: made.path });
  return {
    name: "hook before a tool call",
    reference: "bare Node",
    ours: "agentprint",
    bar,
    isCorrect: (output) => output === "",
    contenders: {
      agentprint: () => made.run([HOOK], env, call),
      "bare Node": () => made.run(["--eval", "0"], {}, call),
    },
  };
}

export const startupSuite: Suite = {
  title: "Start of the built command (node --eval 0 = 1)",
  comparisons: () => [
    commandRow("--version", 1 / 1.8, ["--version"], /^\d+\.\d+\.\d+/),
    commandRow("--help", 1 / 3, ["--help"], /Usage: agentprint/),
    commandRow("hash of a small file", 1 / 3, ["hash", "small.json"], /^[0-9a-f]{64}\n$/),
    () => {
      const launch = ["--", process.execPath, "server.mjs"];
      openFolder().agentprint("pin", "--lock", "launched.lock", "--name", "server-0", ...launch);
      const args = ["check", "--lock", "launched.lock"];
      // The goal is 1/6; docs/performance.md breaks the time down.
      return commandComparison("check of a small local server", 1 / 7, args, /unchanged/);
    },
    () => {
      openFolder().pin("one.lock", 1);
      const args = ["check", "--lock", "one.lock"];
      return commandComparison("check of it and its configuration", 1 / 10, args, /unchanged/);
    },
    () => hookComparison(1 / 3),
    () => {
      const args = ["pin", "--lock", "pinned.lock", "--name", "server-0", "--", process.execPath, "server.mjs"];
      return commandComparison("pin of a small local server, in both views", 1 / 12, args, /server-0/);
    },
  ],
  close: async () => folder?.[Symbol.dispose](),
};

export const twentyServersSuite: Suite = {
  title: `Check of ${SERVERS} small local servers (starting as many processes = 1)`,
  // A gate also starts all servers, because with only a few the command's own start would dominate the time.
  comparisons: () => [
    () => serversComparison("both eras, forty processes", 0.65, 2, []),
    () => serversComparison("one era, twenty processes", 0.55, 1, ["--config", ONE_ERA]),
  ],
  close: async () => folder?.[Symbol.dispose](),
};

/** Compares a check of all servers with bare starts. @param eras the processes that the command starts per server */
function serversComparison(name: string, bar: number, eras: number, args: readonly string[]): Comparison {
  const made = openFolder();
  made.pin("all.lock", SERVERS);
  return {
    name,
    reference: "bare servers",
    ours: "agentprint",
    bar,
    rounds: 3,
    contenders: {
      agentprint: () => made.agentprint("check", "--lock", "all.lock", ...args),
      "bare servers": () => startBare(made.path, eras * SERVERS, eras * CONCURRENCY),
    },
  };
}

/** Returns the peak resident memory of `--help`, in MiB. */
export function helpMemory(): number {
  using made = new Folder();
  const tellPeak = 'process.on("exit",()=>process.stdout.write(String(process.resourceUsage().maxRSS)))';
  const printed = made.run(["--import", `data:text/javascript,${tellPeak}`, MAIN, "--help"]);
  return Math.round(Number(printed.split("\n").at(-1)) / 1024);
}
