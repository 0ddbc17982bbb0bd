import { type CapabilityManifest, type ManifestWarning, parseManifest } from "@agentprint/manifest";
import { readInput, STDIN_NAME } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** Longer input is rejected early; the package's limit is much lower. */
const MAX_BYTES = 1024 * 1024;

/** Reads the bytes of a manifest, or as many as prove that it is too large. */
export async function readManifestText(context: InputContext, file: string): Promise<Uint8Array> {
  return readInput(context, file, MAX_BYTES);
}

/**
 * Reads the manifest in a file, for commands that need a valid one.
 *
 * @throws {@link CliError} `unreadable-input` when the file cannot be read, or its manifest is not valid
 */
export async function requireManifest(
  context: InputContext,
  file: string,
): Promise<{ manifest: CapabilityManifest; warnings: readonly ManifestWarning[]; text: Uint8Array }> {
  const text = await readManifestText(context, file);
  const parsed = parseManifest(text);
  if (parsed.ok) return { manifest: parsed.manifest, warnings: parsed.warnings, text };
  const [issue] = parsed.issues;
  const name = file === "-" ? STDIN_NAME : file;
  const place = issue?.line === undefined ? "" : `:${issue.line}:${issue.column}`;
  throw new CliError("unreadable-input", `${name} is not a valid manifest: ${issue?.message}`, {
    where: `${name}${place}${issue?.path ? ` at ${issue.path}` : ""}`,
    expected: "a Capability Manifest",
    fix: `see every problem with agentprint manifest validate ${file} (${issue?.code})`,
  });
}
