import { escapeJsonText } from "@agentprint/canonical-json/text";
import { checkArgument } from "../check-argument.ts";
import type { TreeManifest } from "./tree-manifest.ts";

/**
 * Returns the text of a manifest file, with one line per file so that the diff of two manifests is easy to read, and
 * without invisible characters.
 *
 * @returns JSON that ends with a newline.
 *
 * @example
 * ```ts
 * import { createTreeManifest, formatTreeManifest } from "@agentprint/content-hash";
 *
 * console.log(formatTreeManifest(createTreeManifest("eol", {})).split("\n")[2]); //   "level": "eol",
 * ```
 */
export function formatTreeManifest(manifest: TreeManifest): string {
  checkArgument("manifest", manifest, { files: "object" });
  const { version, level, digest, files } = manifest;
  const lines = Object.entries(files).map(([path, entry]) => `    ${JSON.stringify(path)}: ${JSON.stringify(entry)}`);
  const body = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
  return escapeJsonText(
    `{\n  "version": ${version},\n  "level": "${level}",\n  "digest": "${digest}",\n  "files": ${body}\n}\n`,
  );
}
