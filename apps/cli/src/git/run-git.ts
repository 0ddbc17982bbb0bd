import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Context } from "../context.ts";
import { CliError, isMissing } from "../errors.ts";

const run = promisify(execFile);

/** In bytes: a lock file of 64 MiB, and more. */
const MAX_OUTPUT = 128 * 1024 * 1024;

/** Variables by which a Git hook names its own repository: the folder says which repository is meant. */
const OF_A_HOOK: ReadonlySet<string> = new Set(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]);

/**
 * What Git prints for these arguments in a folder. Paths are taken as they are, without wildcards.
 *
 * @throws {@link CliError} `git-failed` when there is no Git, or Git fails
 */
export async function runGit(
  { env, signal }: Pick<Context, "env" | "signal">,
  folder: string,
  args: readonly string[],
): Promise<Uint8Array> {
  const kept = Object.entries(env).filter(([name]) => !OF_A_HOOK.has(name));
  try {
    const { stdout } = await run("git", ["--literal-pathspecs", "--no-optional-locks", ...args], {
      cwd: folder,
      env: Object.fromEntries(kept),
      encoding: "buffer",
      maxBuffer: MAX_OUTPUT,
      ...(signal && { signal }),
    });
    return stdout;
  } catch (error) {
    if (isMissing(error)) throw gitFailed("Git is not installed", error);
    const [said = ""] = stderrOf(error).split("\n");
    throw gitFailed(`Git says: ${said.replace(/^fatal: /, "") || "nothing"}`, error);
  }
}

function stderrOf(error: unknown): string {
  return error instanceof Error && "stderr" in error ? String(error.stderr) : "";
}

function gitFailed(message: string, cause: unknown): CliError {
  return new CliError("git-failed", message, { cause });
}
