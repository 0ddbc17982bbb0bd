import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError, type Project, readProject } from "@agentprint/artifacts";
import type { Renames } from "@agentprint/mcp-lock";
import { nextVersion, parseAliases, pendingLevel, ReleaseError } from "@agentprint/release";
import { readIfPresent } from "../files/planned-file.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";

/** The file in which an author declares renames of tools. */
const ALIASES_FILE = "agentprint.aliases.json";

/** The folder of changesets. */
const CHANGESETS = ".changeset";

/**
 * Reads which package the repository publishes.
 *
 * @throws {@link CliError} `usage` if no file declares one; `unreadable-input`
 */
export async function readOwnProject(context: Context): Promise<Project> {
  try {
    return await readProject(context.pathOf("."));
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    throw new CliError(error.code === "not-found" ? "usage" : "unreadable-input", error.message, {
      expected: "the repository of a server, with package.json, pyproject.toml or server.json",
      fix: "run the command in the folder of the package",
      cause: error,
    });
  }
}

/**
 * Reads the renames that the author declares; none if there is no such file.
 *
 * @throws {@link CliError} `invalid-config`, `unreadable-input`
 */
export async function readAliases(context: Context): Promise<Renames> {
  const text = await readIfPresent(context, ALIASES_FILE);
  if (text === undefined) return new Map();
  return explained(ALIASES_FILE, () => parseAliases(text));
}

/**
 * Returns the version that the release will have: the project's, or the one that its changesets produce.
 *
 * @throws {@link CliError} `invalid-config` if a changeset or the version cannot be read
 */
export async function declaredVersion(context: Context, { name, version }: Project): Promise<string> {
  const folder = context.pathOf(CHANGESETS);
  if (!(await hasChangesets(context))) return version;
  const files = (await readdir(folder)).filter((file) => /(?<!^README)\.md$/i.test(file));
  const texts = await Promise.all(files.map(async (file) => (await readIfPresent(context, join(folder, file))) ?? ""));
  const level = explained(CHANGESETS, () => pendingLevel(texts, name));
  return level === "none" ? version : explained("version", () => nextVersion(version, level));
}

/** Returns whether the repository keeps changesets. */
export function hasChangesets(context: Context): Promise<boolean> {
  return readdir(context.pathOf(CHANGESETS)).then(
    (files) => files.includes("config.json"),
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

/** Runs a function of `@agentprint/release`, and explains its error. */
export function explained<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    const place = error.path === "" ? where : `${where} at ${error.path}`;
    throw new CliError("invalid-config", error.message, { where: place, expected: error.expected, cause: error });
  }
}
