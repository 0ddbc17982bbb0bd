import { CanonicalJsonError, createJsonHasher, sha256Hex } from "@agentprint/canonical-json";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { type Command, Option } from "commander";
import {
  addJsonOptions,
  canonicalizeInput,
  type JsonOptions,
  MAX_BYTES_TEXT,
  notStrict,
} from "../files/json-options.ts";
import { MAX_JSON_BYTES } from "../files/limits.ts";
import { limited, withInput } from "../files/read-input.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";
import { positiveInteger } from "../terminal/option-parsers.ts";

interface HashOptions extends Omit<JsonOptions, "maxBytes"> {
  readonly maxBytes?: number;
  readonly format: "text" | "json";
}

const UNORDERED = {
  expected: `members ordered by name in a large object, if a text has more than ${MAX_JSON_BYTES} bytes`,
  fix: "write the members of the object in the order of the UTF-16 code units of their names",
};

export const examples: Examples = [
  ["agentprint hash manifest.json", "RFC 8785 and code-unit order, the default everywhere"],
  ["agentprint hash --profile ecmascript record.json", "as trail records and tool fingerprints are hashed"],
  ["agentprint hash --format json - < manifest.json", "for scripts"],
];

export function define(command: Command): void {
  command
    .argument("[file]", "JSON text in UTF-8, or - for standard input", "-")
    .addOption(new Option("--max-bytes <n>", `${MAX_BYTES_TEXT} (default: any)`).argParser(positiveInteger))
    .addOption(new Option("--format <format>", "format of the output").choices(["text", "json"]).default("text"));
  addJsonOptions(command);
}

export async function run(context: Context, file: string, options: HashOptions): Promise<ExitCode> {
  const { format, profile, keyOrder } = options;
  const sha256 = await (keyOrder === "code-unit" ? hashPieces : hashWhole)(context, file, options);
  context.stdout.write(`${format === "json" ? JSON.stringify({ sha256, profile, keyOrder }) : sha256}\n`);
  return EXIT.same;
}

/** Hashes a value in memory, as the other key order requires. */
async function hashWhole(context: Context, file: string, options: HashOptions): Promise<string> {
  const maxBytes = Math.min(options.maxBytes ?? MAX_JSON_BYTES, MAX_JSON_BYTES);
  return sha256Hex(await canonicalizeInput(context, file, { ...options, maxBytes }));
}

/**
 * Hashes while reading. A text of at most 64 MiB can have the members of every object in any order, a longer text only
 * the members of small objects.
 */
async function hashPieces(context: Context, file: string, options: HashOptions): Promise<string> {
  const { losslessIntegers, maxDepth, maxBytes = Number.POSITIVE_INFINITY } = options;
  return await withInput(context, file, async (pieces, name, size = 0) => {
    const maxObjectBytes = size > MAX_JSON_BYTES ? undefined : MAX_JSON_BYTES / 2;
    const hasher = createJsonHasher({ losslessIntegers, maxDepth, maxObjectBytes });
    for await (const piece of limited(pieces, name, maxBytes, "--max-bytes")) hasher.update(piece);
    try {
      return hasher.digest();
    } catch (error) {
      const isUnordered = error instanceof CanonicalJsonError && error.code === "unordered-members";
      throw notStrict(name, error, isUnordered ? UNORDERED : {});
    }
  });
}
