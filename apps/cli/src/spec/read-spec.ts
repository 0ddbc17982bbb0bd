import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { type AgentSpec, SPEC_COVERAGE, SpecError, type SpecFingerprint } from "@agentprint/drover";
import { Option } from "commander";
import { z } from "zod";
import { CliError } from "../errors.ts";
import { readInput, STDIN_NAME } from "../json/read-input.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const FingerprintSchema = z.looseObject({
  spec32: z.string().regex(/^[0-9a-f]{1,8}$/),
  sha256: Sha256,
  fields: z.record(z.string(), Sha256),
});

/** Reads a spec as JSON. */
export async function readSpec(file: string): Promise<AgentSpec> {
  // Whether it is a spec is for hashing to say: its errors name the place.
  return (await readJson(file)) as unknown as AgentSpec;
}

/** Reads a spec, or the fingerprint of one, as `agentprint spec hash --format json` prints it. */
export async function readSpecOrFingerprint(file: string): Promise<AgentSpec | SpecFingerprint> {
  const value = await readJson(file);
  const fingerprint = FingerprintSchema.safeParse(value);
  return (fingerprint.success ? { warnings: [], ...fingerprint.data } : value) as AgentSpec | SpecFingerprint;
}

/** Runs what hashes a spec and says in which file it failed. */
export function naming<Result>(file: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const where = `${file === "-" ? STDIN_NAME : file}${error.path === "" ? "" : ` at ${error.path}`}`;
    throw new CliError("unreadable-input", error.message, {
      where,
      expected: "an agent's spec: an object with id and systemPrompt",
      fix: `correct the spec there (${error.code})`,
      cause: error,
    });
  }
}

export function coverageOption(): Option {
  return new Option("--coverage <name>", "the published field list to cover")
    .choices(Object.keys(SPEC_COVERAGE))
    .default("spec");
}

async function readJson(file: string): Promise<unknown> {
  const bytes = await readInput(file, MOST_BYTES);
  try {
    return parseJson(bytes, { maxBytes: MOST_BYTES });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new CliError("unreadable-input", error.message, {
      where: file === "-" ? STDIN_NAME : `${file}:${error.line ?? 1}:${error.column ?? 1}`,
      expected: "strict JSON (RFC 8259)",
      fix: `correct the text there (${error.code})`,
    });
  }
}
