import { type CanonicalizeOptions, CanonicalJsonError, canonicalizeJson } from "@agentprint/canonical-json";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { positiveInteger } from "../terminal/option-parsers.ts";
import { MAX_JSON_BYTES } from "./limits.ts";
import { readInput, STDIN_NAME } from "./read-input.ts";

export interface JsonOptions {
  readonly profile: NonNullable<CanonicalizeOptions["profile"]>;
  readonly keyOrder: NonNullable<CanonicalizeOptions["keyOrder"]>;
  readonly losslessIntegers: boolean;
  readonly maxDepth: number;
  readonly maxBytes: number;
}

/** Adds the options for reading and canonicalizing JSON text. */
export function addJsonOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--profile <profile>", "which values the text can have, and how numbers are written")
        .choices(["rfc8785", "ecmascript"])
        .default("rfc8785"),
    )
    .addOption(
      new Option("--key-order <order>", "order of object keys; locale is for verifying old digests only")
        .choices(["code-unit", "locale"])
        .default("code-unit"),
    )
    .option("--lossless-integers", "refuse integers beyond ±(2^53 − 1)", false)
    .addOption(new Option("--max-depth <n>", "the maximum nesting depth").default(10_000).argParser(positiveInteger));
}

/** Adds the option that bounds a text held in memory. */
export function addMaxBytes(command: Command): Command {
  return command.addOption(
    new Option("--max-bytes <n>", MAX_BYTES_TEXT).default(MAX_JSON_BYTES).argParser(readableBytes),
  );
}

export const MAX_BYTES_TEXT = "the maximum number of input bytes";

function readableBytes(text: string): number {
  const bytes = positiveInteger(text);
  if (bytes <= MAX_JSON_BYTES) return bytes;
  throw new InvalidArgumentError(`expected at most ${MAX_JSON_BYTES}: longer texts cannot be read.`);
}

/** Reads strict JSON text from a file or `-` and returns its canonical text. */
export async function canonicalizeInput(context: InputContext, file: string, options: JsonOptions): Promise<string> {
  const { profile, keyOrder, losslessIntegers, maxDepth, maxBytes } = options;
  const bytes = await readInput(context, file, maxBytes, maxBytes < MAX_JSON_BYTES ? "--max-bytes" : undefined);
  try {
    return canonicalizeJson(bytes, { profile, keyOrder, losslessIntegers, maxDepth, maxBytes });
  } catch (error) {
    throw notStrict(file === "-" ? STDIN_NAME : file, error);
  }
}

/** Translates an error from the JSON reader to the command's error; returns any other error unchanged. */
export function notStrict(name: string, error: unknown, hints: { expected?: string; fix?: string } = {}): unknown {
  if (!(error instanceof CanonicalJsonError)) return error;
  return new CliError("unreadable-input", `${error.message} (${error.code})`, {
    where: whereOf(name, error),
    expected: "strict JSON (RFC 8259): UTF-8, no duplicate keys, no lone surrogates, nothing after the value",
    ...hints,
  });
}

function whereOf(name: string, error: CanonicalJsonError): string {
  const place = error.position ? `:${error.position.line}:${error.position.column}` : "";
  return `${name}${place}${error.path === "" ? "" : ` at ${error.path}`}`;
}
