import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runBeside } from "@agentprint/testing/programs";
import { runnerFolder } from "./action-run.ts";
import type { RunResult } from "./run-cli.ts";
import type { Workspace } from "./workspace.ts";

/** A step of a GitHub workflow. */
export interface JobStep {
  readonly uses?: string;
  readonly run?: string;
  readonly "working-directory"?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The machine that runs a job. */
export interface JobMachine {
  /** The folders that contain programs, in addition to Node's and the system's. */
  readonly programs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Checks the change out into the job's empty folder, as actions/checkout does. */
  checkout(): void;
  /** Runs this repository's action. */
  action?(): Promise<RunResult>;
}

/**
 * Runs a job's steps in a shell, one after the other until one fails, as GitHub's runner does; returns the last result.
 */
export async function runJob(workspace: Workspace, steps: readonly JobStep[], machine: JobMachine): Promise<RunResult> {
  const folder = runnerFolder(workspace);
  mkdirSync(join(folder, "temp"), { recursive: true });
  writeFileSync(join(folder, "summary"), "");
  let last: RunResult = { code: 0, stdout: "", stderr: "" };
  for (const { uses = "", run, "working-directory": where = "", env = {} } of steps) {
    const variables = {
      ...environment(machine),
      RUNNER_TEMP: join(folder, "temp"),
      GITHUB_WORKSPACE: workspace.folder,
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, machine.env[name] ?? text])),
    };
    const cwd = where.includes("runner.temp") ? join(folder, "temp") : workspace.folder;
    if (uses.startsWith("actions/checkout@")) machine.checkout();
    // setup-node prints the versions of the installed tools, in the job's folder.
    else if (uses.startsWith("actions/setup-node@"))
      await runShell("node --version; npm --version; yarn --version", variables, cwd);
    else if (uses.includes("/agentprint@") && machine.action) last = await machine.action();
    else if (run !== undefined) last = await runShell(run, variables, cwd);
    else throw new Error(`unknown step: ${uses}`);
    if (last.code !== 0) return last;
  }
  return last;
}

/** Returns a job's environment: its machine's, without the variables of the tests. */
export function environment({ programs, env }: Pick<JobMachine, "programs" | "env">): Record<string, string> {
  return { PATH: [...programs, dirname(process.execPath), "/usr/bin", "/bin"].join(":"), HOME: "/nonexistent", ...env };
}

/** Runs a script as GitHub and GitLab run it. */
export function runShell(script: string, env: Readonly<Record<string, string>>, cwd: string): Promise<RunResult> {
  return runBeside("/bin/bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], { cwd, env });
}
