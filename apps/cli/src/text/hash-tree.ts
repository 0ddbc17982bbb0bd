import { readlink } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { sha256Hex } from "@agentprint/canonical-json";
import { ContentHashError, type NormalizationLevel, type TreeEntry } from "@agentprint/content-hash";
import { computeFileHash } from "@agentprint/content-hash/node";
import { mapConcurrently } from "../run/concurrency.ts";
import type { Context } from "../run/context.ts";
import { clearProgress, showProgress } from "../terminal/notices.ts";
import { type LeftOut, type TreeFile, walkTree } from "./walk-tree.ts";

/** The hashed files of a tree, and those that could not be hashed. */
export interface HashedTree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The reasons for unhashed files, by path; the path of a folder ends with `/`. */
  readonly failures: ReadonlyMap<string, string>;
  /** The paths that were not hashed: `.git`, and those that .gitignore files name. */
  readonly leftOut: readonly LeftOut[];
}

/** The maximum number of files that are hashed at the same time. */
const MAX_OPEN_FILES = 8;
const FILES_A_PROGRESS_LINE = 50;

/** Hashes every file of a folder that .gitignore does not name; leaves out `except`, which is the manifest itself. */
export async function hashTree(
  context: Pick<Context, "pathOf" | "stderr">,
  folder: string,
  level: NormalizationLevel,
  except: string | undefined,
): Promise<HashedTree> {
  const root = context.pathOf(folder);
  const left =
    except === undefined
      ? undefined
      : relative(resolve(root), resolve(context.pathOf(except)))
          .split(sep)
          .join("/");
  try {
    const walked = await walkTree(root, (entered) => showProgress(context, `reading ${entered}`));
    const files = walked.files.filter(({ path }) => path !== left);
    let done = 0;
    const results = await mapConcurrently(files, MAX_OPEN_FILES, async (file) => {
      const result = await hashFile(root, file, level);
      if (++done % FILES_A_PROGRESS_LINE === 0) showProgress(context, `hashed ${done} of ${files.length} files`);
      return [file.path, result] as const;
    });
    return {
      entries: new Map(results.filter((result): result is [string, TreeEntry] => typeof result[1] !== "string")),
      failures: new Map([
        ...walked.failures,
        ...results.filter((result): result is [string, string] => typeof result[1] === "string"),
      ]),
      leftOut: walked.leftOut,
    };
  } finally {
    clearProgress(context);
  }
}

/** Returns the entry of a file, or the reason why there is none. */
async function hashFile(
  root: string,
  { path, kind }: TreeFile,
  level: NormalizationLevel,
): Promise<TreeEntry | string> {
  const file = join(root, path);
  if (kind === "special") return "is neither a file nor a link";
  try {
    if (kind === "symlink") return { sha256: sha256Hex(await readlink(file)), as: "symlink" };
    return { sha256: await computeFileHash(file, { level, symlinks: "refuse" }), as: level };
  } catch (error) {
    if (error instanceof ContentHashError && error.code === "BINARY_CONTENT") {
      return { sha256: await computeFileHash(file, { level: "bytes", symlinks: "refuse" }), as: "bytes" };
    }
    return error instanceof Error ? error.message : String(error);
  }
}
