import { hashCanonical } from "@agentprint/canonical-json";
import { checkLevel, type NormalizationLevel } from "../levels.ts";
import { checkTreeFiles } from "./check-tree-files.ts";

/** The digest of a file in a tree. */
export interface TreeEntry {
  /** The SHA-256, as 64 lowercase hex digits. */
  readonly sha256: string;
  /**
   * The content that is hashed: the text at the tree's level, the `bytes` of a binary file, or the target of a
   * `symlink`.
   */
  readonly as: NormalizationLevel | "symlink";
}

/** The digests of the files in a tree, and one digest for all of them. */
export interface TreeManifest {
  readonly version: 1;
  readonly level: NormalizationLevel;
  /** The SHA-256 of the canonical text of `{ level, files }`, as 64 lowercase hex digits. */
  readonly digest: string;
  /** By path, relative to the root of the tree, with `/` between folders. */
  readonly files: Readonly<Record<string, TreeEntry>>;
}

/**
 * Returns the manifest of a tree whose files have already been hashed. Its digest does not depend on the order of the
 * files; the paths are not changed.
 *
 * @param level - The level at which the texts were hashed.
 * @param files - The digest of each file, by path.
 * @throws {@link ContentHashError} `UNKNOWN_LEVEL` when the level does not exist, `INVALID_TREE` when a path has a lone
 * surrogate or an entry is malformed.
 *
 * @example
 * ```ts
 * import { computeTextHash, createTreeManifest } from "@agentprint/content-hash";
 *
 * const entry = (text: string) => ({ sha256: computeTextHash(text), as: "whitespace" }) as const;
 * const tabs = createTreeManifest("whitespace", { "a.ts": entry("if (x)\n\treturn;") });
 * const spaces = createTreeManifest("whitespace", { "a.ts": entry("if (x)\n  return;") });
 * console.log(tabs.digest === spaces.digest); // true
 * ```
 */
export function createTreeManifest(level: NormalizationLevel, files: TreeManifest["files"]): TreeManifest {
  checkLevel(level);
  checkTreeFiles(files);
  return { version: 1, level, digest: hashCanonical({ level, files }), files };
}
