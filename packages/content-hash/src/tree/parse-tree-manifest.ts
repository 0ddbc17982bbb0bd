import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { ContentHashError } from "../errors.ts";
import { NORMALIZATION_LEVELS, type NormalizationLevel } from "../levels.ts";
import { checkMembers, checkOneOf, invalidTree } from "./check-tree-files.ts";
import { createTreeManifest, type TreeManifest } from "./tree-manifest.ts";

/** 64 MiB, which is the limit of the JSON parser. */
const MAX_BYTES = 67_108_864;

/**
 * Reads the text of a manifest file, and refuses a manifest whose digest does not match its level and files.
 *
 * @param text - Strict JSON, as text or UTF-8 bytes, of at most 64 MiB.
 * @throws {@link ContentHashError} `INVALID_TREE` when the text is not a manifest, or was edited.
 *
 * @example
 * ```ts
 * import { createTreeManifest, formatTreeManifest, parseTreeManifest } from "@agentprint/content-hash";
 *
 * const text = formatTreeManifest(createTreeManifest("eol", {}));
 * console.log(parseTreeManifest(text).level); // "eol"
 * ```
 */
export function parseTreeManifest(text: string | Uint8Array): TreeManifest {
  const value = parseText(text);
  checkMembers(value, [], ["version", "level", "digest", "files"]);
  const { version, level, digest, files } = value;
  if (version !== 1) throw invalidTree(["version"], "1", version);
  checkOneOf(level, ["level"], NORMALIZATION_LEVELS);
  const manifest = createTreeManifest(level as NormalizationLevel, files as TreeManifest["files"]);
  if (manifest.digest !== digest) {
    throw invalidTree(["digest"], `${manifest.digest}, the digest of its level and files`, digest);
  }
  return manifest;
}

function parseText(text: string | Uint8Array): unknown {
  try {
    return parseJson(text, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new ContentHashError("INVALID_TREE", `the manifest of a tree is not JSON: ${error.message}`, {
      cause: error,
    });
  }
}
