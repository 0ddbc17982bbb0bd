import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LockFile, parseLock } from "@agentprint/mcp-lock";
import { type RunResult, runCli } from "./run-cli.ts";

/** The options that shorten the visits of a command. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  check: ["--settle", "0"],
  approve: ["--settle", "0"],
  pin: ["--settle", "0", "--views", "client"],
};

/**
 * Returns arguments with which a visit does not wait for late notifications, and `pin` visits as one client: few tests
 * are about either. The second of two equal options counts.
 */
function shortened([command = "", ...args]: readonly string[]): readonly string[] {
  return [command, ...(SHORT[command] ?? []), ...args];
}

/** A temporary folder in which agentprint runs. */
export class Workspace implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "agentprint-test-"));

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs agentprint here, with visits as short as {@link shortened} makes them. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    return this.runAsGiven(shortened(args), env);
  }

  /** Runs agentprint here with these arguments alone: for what depends on their defaults. */
  runAsGiven(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    return runCli(args, { cwd: this.folder, env });
  }

  lockText(): string {
    return readFileSync(this.path("agentprint.lock"), "utf8");
  }

  lock(): LockFile {
    return parseLock(this.lockText());
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(`${this.folder}.runner`, { recursive: true, force: true });
  }
}
