import { writeFileSync } from "node:fs";
import { formatLock, type LockFile } from "@agentprint/mcp-lock";
import type { VisitSettings } from "@agentprint/policy/settings";
import { hostile } from "./hostile.ts";
import { Repository } from "./repository.ts";
import type { RunResult } from "./run-cli.ts";
import { Workspace } from "./workspace.ts";

/** The environments in which the server `it` has these texts. */
export const before: Readonly<Record<string, string>> = { HOSTILE_TEXT: "before" };
export const after: Readonly<Record<string, string>> = { HOSTILE_TEXT: "after" };

/** The command of the server `it`. */
export const SERVER: readonly string[] = hostile("terminal-escapes");

let pinned: { readonly was: LockFile; readonly is: LockFile } | undefined;

/** Returns the locks of the server `it` in the two environments; each is pinned only once per test file. */
export async function pinBoth(): Promise<{ readonly was: LockFile; readonly is: LockFile }> {
  pinned ??= { was: await pinIt(before), is: await pinIt(after) };
  return pinned;
}

/** Returns the lock of the server `it`, pinned with these visit settings and additional variables. */
export async function pinIt(
  env: Readonly<Record<string, string>>,
  visits: VisitSettings = { views: "all" },
  more: readonly string[] = [],
): Promise<LockFile> {
  using first = new Workspace();
  const args = [
    "pin",
    "--name",
    "it",
    "--env",
    "HOSTILE_TEXT",
    ...more.flatMap((name) => ["--env", name]),
    "--",
    ...SERVER,
  ];
  const { code, stderr } = await first.run(args, env, visits);
  if (code !== 0) throw new Error(stderr);
  return first.lock();
}

/** A repository with a commit `base` and a change. */
export class ChangeWorkspace extends Workspace {
  readonly repository: Repository = new Repository(this.folder);

  writeLock(lock: LockFile, file = "agentprint.lock"): void {
    writeFileSync(this.path(file), formatLock(lock));
  }

  configure(policy: object, file = "agentprint.config.json"): void {
    writeFileSync(this.path(file), JSON.stringify(policy));
  }

  /** Commits everything as the base; returns the id of the commit. */
  commitBase(): string {
    const id = this.repository.commit();
    this.repository.git("branch", "--force", "base");
    return id;
  }

  /** Checks against the base. */
  check(args: readonly string[] = [], env: Readonly<Record<string, string>> = before): Promise<RunResult> {
    return this.run(["check", "--base", "base", ...args], env);
  }
}
