import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, relative } from "node:path";
import { promisify } from "node:util";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";
import type { FoundRepository } from "./find-repository.ts";

const run = promisify(execFile);

/** The maximum length of the output, in bytes: more than a lock file of 64 MiB. */
const MAX_OUTPUT = 128 * 1024 * 1024;

/** Settings that override the repository's: Git runs no program that a configuration names, and fetches nothing. */
const SETTINGS = [
  "safe.bareRepository=explicit",
  "core.useReplaceRefs=false",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.alternateRefsCommand=",
  "core.sshCommand=",
  "core.gitProxy=",
  "core.askPass=",
  "core.warnAmbiguousRefs=true",
  "credential.helper=",
  "diff.external=",
  "protocol.allow=never",
  "log.showSignature=false",
].flatMap((setting) => ["-c", setting]);

/** Git uses only the repository's settings and no replacement objects, and words errors as documented. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  LC_ALL: "C",
  LANGUAGE: "",
};

/** The part of a context that Git needs. */
export type GitContext = Pick<Context, "env" | "signal">;

/** The outputs of Git. */
interface GitResult {
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/**
 * Asks Git about a repository; no other function starts Git.
 *
 * Git gets the repository by name and looks for none, takes paths from its top and without wildcards, runs no hook, monitor, filter
 * or helper, reads no replaced objects, and sees no `GIT_*` variable of the environment. The program is not taken from the working tree.
 *
 * @throws {@link CliError} `git-failed` when there is no Git, or Git fails
 */
export async function runGit(
  { env, signal }: GitContext,
  { top, gitDir }: FoundRepository,
  args: readonly string[],
): Promise<GitResult> {
  try {
    const words = [`--git-dir=${gitDir}`, "--literal-pathspecs", "--no-pager", ...SETTINGS, ...args];
    const { stdout, stderr } = await run("git", words, {
      // Windows looks for programs in the current folder first.
      cwd: gitDir,
      env: environment(env, top),
      encoding: "buffer",
      maxBuffer: MAX_OUTPUT,
      ...(signal && { signal }),
    });
    return { stdout, stderr: stderr.toString() };
  } catch (error) {
    if (isMissing(error)) throw gitFailed("Git is not installed", error);
    const [said = ""] = stderrOf(error).split("\n");
    throw gitFailed(`Git says: ${said.replace(/^fatal: /, "") || "nothing"}`, error);
  }
}

function environment(env: GitContext["env"], top: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^git_/i.test(name));
  const paths = kept.map(([name, value]) => [name, /^path$/i.test(name) ? outside(value ?? "", top) : value]);
  return { ...Object.fromEntries(paths), ...VARIABLES };
}

/**
 * Returns the folders of a search path that are outside of a working tree, because `npm run` and `npx` put
 * `node_modules/.bin` first.
 */
function outside(path: string, top: string): string {
  const real = realpathSync(top);
  const isInside = (folder: string): boolean =>
    [top, real].some((root) => !/^\.\.(?:[\\/]|$)/.test(relative(root, folder)) && !isAbsolute(relative(root, folder)));
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(folder))
    .join(delimiter);
}

function stderrOf(error: unknown): string {
  return error instanceof Error && "stderr" in error && Buffer.isBuffer(error.stderr) ? error.stderr.toString() : "";
}

function gitFailed(message: string, cause: unknown): CliError {
  return new CliError("git-failed", message, { cause });
}
