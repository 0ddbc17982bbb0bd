import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type LockFile, parseLock } from "@agentprint/mcp-lock";
import type { VisitSettings } from "@agentprint/policy/settings";
import { type RunResult, runCli } from "./run-cli.ts";
import { SHORT_VISITS } from "./short-visits.ts";

/** A temporary folder in which agentprint runs. */
export class Workspace implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "agentprint-test-"));
  readonly visits: VisitSettings;

  /** @param visits The visit settings in this workspace */
  constructor(visits: VisitSettings = {}) {
    this.visits = visits;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes an executable file, and creates the folders above it. */
  writeProgram(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
    chmodSync(this.path(name), 0o755);
  }

  /** Runs agentprint here with this workspace's visit settings, and with {@link SHORT_VISITS} for the others. */
  run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    visits: VisitSettings = {},
  ): Promise<RunResult> {
    return runCli(args, { cwd: this.folder, env, visits: { ...SHORT_VISITS, ...this.visits, ...visits } });
  }

  /** Runs agentprint here with the default visit settings. */
  runAsGiven(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    return runCli(args, { cwd: this.folder, env });
  }

  /** Runs agentprint here with the views that each command chooses, but without waiting for late notifications. */
  runInOwnViews(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    return runCli(args, { cwd: this.folder, env, visits: { settle: 0, ...this.visits } });
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
