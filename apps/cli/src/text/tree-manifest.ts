import { CanonicalJsonError, escapeJsonText, hashCanonical, parseJson } from "@agentprint/canonical-json";
import { isObject } from "@agentprint/canonical-json/json-value";
import { isSha256Hex } from "@agentprint/canonical-json/text";
import { NORMALIZATION_LEVELS, type NormalizationLevel } from "@agentprint/content-hash";
import { z } from "zod";
import type { InputContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { readInput } from "../json/read-input.ts";

/** The digest of a file: at the level of the tree, at `bytes` where it is binary, or of a link's target. */
export interface TreeEntry {
  readonly sha256: string;
  readonly as: NormalizationLevel | "symlink";
}

/** The digests of a tree. */
export interface TreeManifest {
  readonly version: 1;
  readonly level: NormalizationLevel;
  /** Of the level and the files. */
  readonly digest: string;
  readonly files: Readonly<Record<string, TreeEntry>>;
}

const sha256: z.ZodType<string> = z.string().refine(isSha256Hex, "expected 64 lowercase hexadecimal digits");
const entrySchema = z.strictObject({ sha256, as: z.enum([...NORMALIZATION_LEVELS, "symlink"]) });
// A record would drop a file named __proto__.
const filesSchema = z.custom<TreeManifest["files"]>(isObject, "expected an object").superRefine((files, context) => {
  for (const [path, entry] of Object.entries(files)) {
    const { error } = entrySchema.safeParse(entry);
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue, path: [path, ...issue.path] });
  }
});
const manifestSchema: z.ZodType<TreeManifest> = z.strictObject({
  version: z.literal(1),
  level: z.enum(NORMALIZATION_LEVELS),
  digest: sha256,
  files: filesSchema,
});

const MAX_BYTES = 64 * 1024 * 1024;

/** The manifest of a tree; its digest is of the level and the files. */
export function createTreeManifest(level: NormalizationLevel, entries: ReadonlyMap<string, TreeEntry>): TreeManifest {
  const files = Object.fromEntries(entries);
  return { version: 1, level, digest: hashCanonical({ level, files }), files };
}

/** The text of a manifest file: one line for each file, so that a diff of two manifests reads well, and nothing invisible. */
export function formatTreeManifest({ version, level, digest, files }: TreeManifest): string {
  const lines = Object.entries(files).map(([path, entry]) => `    ${JSON.stringify(path)}: ${JSON.stringify(entry)}`);
  const body = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
  return escapeJsonText(
    `{\n  "version": ${version},\n  "level": "${level}",\n  "digest": "${digest}",\n  "files": ${body}\n}\n`,
  );
}

/** Reads a manifest file; one that was edited by hand is refused. */
export async function readTreeManifest(context: InputContext, file: string): Promise<TreeManifest> {
  const parsed = manifestSchema.safeParse(await readJson(context, file));
  if (!parsed.success) throw invalidManifest(file, z.prettifyError(parsed.error));
  const { level, digest, files } = parsed.data;
  if (createTreeManifest(level, new Map(Object.entries(files))).digest !== digest) {
    throw invalidManifest(file, "its digest is not that of its files");
  }
  return parsed.data;
}

async function readJson(context: InputContext, file: string): Promise<unknown> {
  try {
    return parseJson(await readInput(context, file, MAX_BYTES), { maxBytes: MAX_BYTES });
  } catch (error) {
    if (error instanceof CanonicalJsonError) throw invalidManifest(file, error.message);
    throw error;
  }
}

function invalidManifest(file: string, reason: string): CliError {
  return new CliError("unreadable-input", `${file} is not the manifest of a tree`, {
    where: file,
    expected: `what agentprint text tree --manifest wrote; ${reason}`,
    fix: "restore the file, or write it again with agentprint text tree --manifest",
  });
}
