import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import {
  type AgentSpec,
  diffSpecs,
  fingerprintSpec,
  SPEC_COVERAGE,
  type SpecCoverage,
  type SpecDiff,
  SpecError,
  type SpecFingerprint,
} from "@agentprint/drover";
import { Option } from "commander";
import { readInput, STDIN_NAME } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a spec as JSON. */
export async function readSpec(context: InputContext, file: string): Promise<AgentSpec> {
  // Hashing decides whether the value is a spec, because its errors name the place.
  return (await readJson(context, file)) as unknown as AgentSpec;
}

/**
 * Reads and compares two files: a spec, or the fingerprint of one, as `agentprint spec hash --format json` prints it,
 * and the later spec.
 */
export async function compareSpecs(
  context: InputContext,
  beforeFile: string,
  afterFile: string,
  coverage: SpecCoverage,
): Promise<SpecDiff> {
  const before = (await readJson(context, beforeFile)) as AgentSpec | SpecFingerprint;
  const after = await readSpec(context, afterFile);
  // The later spec is hashed alone first: if that works, an error in the comparison is about the earlier file.
  naming(afterFile, () => fingerprintSpec(after, { coverage }));
  return naming(beforeFile, () => diffSpecs(before, after, { coverage }));
}

/** Runs `run`, and names the file in an error about a spec. */
export function naming<Result>(file: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const where = `${file === "-" ? STDIN_NAME : file}${error.path === "" ? "" : ` at ${error.path}`}`;
    throw new CliError("unreadable-input", `${error.message} (${error.code})`, {
      where,
      expected: "an agent's spec, an object with id and systemPrompt; the recorded side can also be a fingerprint",
      cause: error,
    });
  }
}

export function coverageOption(): Option {
  return new Option("--coverage <name>", "the published list of fields that the hash covers")
    .choices(Object.keys(SPEC_COVERAGE))
    .default("spec");
}

async function readJson(context: InputContext, file: string): Promise<unknown> {
  const bytes = await readInput(context, file, MAX_BYTES);
  try {
    return parseJson(bytes, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new CliError("unreadable-input", `${error.message} (${error.code})`, {
      where: file === "-" ? STDIN_NAME : `${file}:${error.line ?? 1}:${error.column ?? 1}`,
      expected: "strict JSON (RFC 8259)",
    });
  }
}
