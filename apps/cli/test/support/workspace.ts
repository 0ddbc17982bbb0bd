import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LockFile, parseLock } from "@agentprint/mcp-lock";
import { type RunResult, runCli } from "./run-cli.ts";

/** A temporary folder in which agentprint runs. */
export class Workspace implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "agentprint-test-"));

  path(name: string): string {
    return join(this.folder, name);
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
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
  }
}
