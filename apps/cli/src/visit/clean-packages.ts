import { resolve } from "node:path";
import { ArtifactError, cleanStore } from "@agentprint/artifacts";
import { escapeText } from "@agentprint/canonical-json/text";
import { count, EXIT, type ExitCode } from "@agentprint/findings";
import { hasIntegrity, type LockFile } from "@agentprint/mcp-lock/lock";
import { forgetLock, knownLocks } from "../artifacts/prepare-target.ts";
import { formatJson } from "../files/format-json.ts";
import { realPathOf } from "../files/replace-file.ts";
import { packagesFolder } from "../files/state-folder.ts";
import { readLockIfPresent } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/**
 * Removes the folders of packages that no lock names any more, and reports which were removed and which are in use.
 *
 * @param lock The path of the lock of this project, which is read in addition to those for which packages were
 * installed
 * @throws {@link CliError} `unreadable-input` if a lock cannot be read, before anything is removed; `unwritable-output`
 */
export async function cleanPackages(
  context: Context,
  { lock, format }: { readonly lock: string; readonly format: "text" | "json" },
): Promise<ExitCode> {
  const locks: LockFile[] = [];
  for (const path of new Set([await realPathOf(context, lock), ...(await knownLocks(context))])) {
    const found = (await readOrRefuse(context, path))?.lock;
    if (found === undefined) await forgetLock(context, path);
    else locks.push(found);
  }
  const launches = locks.flatMap(({ servers }) =>
    servers.map(({ launch, artifacts = [] }) => ({ launch, artifacts: artifacts.filter(hasIntegrity) })),
  );
  const cleaned = await cleanStore(resolve(packagesFolder(context)), launches).catch((error: unknown) => {
    if (!(error instanceof ArtifactError)) throw error;
    throw new CliError("unwritable-output", error.message, {
      expected: "folders that can be removed",
      fix: "check its owner and its permissions, and run the command again",
      cause: error,
    });
  });
  const inState = (state: string): string[] => cleaned.flatMap((each) => (each.state === state ? [each.folder] : []));
  const [removed, inUse] = [inState("removed"), inState("in use")];
  if (format === "json") context.stdout.write(formatJson({ removed, inUse }));
  else {
    const lines = [
      ...removed.map((folder) => `removed ${folder}`),
      ...inUse.map((folder) => `kept ${folder}: a process may use it`),
      `${count(removed.length, "folder")} of packages removed; ${count(locks.length, "lock")} read`,
    ];
    context.stdout.write(lines.map((line) => `${escapeText(line)}\n`).join(""));
  }
  return EXIT.same;
}

/** Reads a lock, or refuses to continue, because an unreadable lock may name any folder. */
async function readOrRefuse(context: Context, path: string): ReturnType<typeof readLockIfPresent> {
  try {
    return await readLockIfPresent(context, path);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError("unreadable-input", `no folder of packages was removed: ${error.message}`, {
      where: path,
      expected: "locks that can be read, because each may name a folder",
      fix: "restore this lock, or remove it, and run the command again",
      cause: error,
    });
  }
}
