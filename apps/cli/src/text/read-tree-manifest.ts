import { ContentHashError, parseTreeManifest, type TreeManifest } from "@agentprint/content-hash";
import { MAX_JSON_BYTES } from "../files/limits.ts";
import { readInput } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** Reads a manifest file; one that was edited by hand is refused. */
export async function readTreeManifest(context: InputContext, file: string): Promise<TreeManifest> {
  const text = await readInput(context, file, MAX_JSON_BYTES);
  try {
    return parseTreeManifest(text);
  } catch (error) {
    if (!(error instanceof ContentHashError)) throw error;
    throw new CliError("unreadable-input", `${file} is not the manifest of a tree`, {
      where: file,
      expected: `what agentprint text tree --manifest wrote; ${error.message}`,
      fix: "restore the file, or write it again with agentprint text tree --manifest",
      cause: error,
    });
  }
}
