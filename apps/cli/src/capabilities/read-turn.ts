import {
  CapabilityError,
  type CapabilitySnapshot,
  parseCapabilityLink,
  parseCapabilitySnapshot,
} from "@agentprint/agent-capabilities";
import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { readInput, STDIN_NAME } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** A turn as it was stored: its link, and the snapshot if it has one. */
export interface Turn {
  readonly file: string;
  readonly link: CapabilitySnapshot["link"];
  readonly snapshot?: CapabilitySnapshot;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a capability link or snapshot from a file, or from standard input for `-`. */
export async function readTurn(context: InputContext, file: string): Promise<Turn> {
  const name = file === "-" ? STDIN_NAME : file;
  const bytes = await readInput(context, file, MAX_BYTES);
  try {
    const value = parseJson(bytes);
    if (!isJsonObject(value) || !("link" in value)) return { file: name, link: parseCapabilityLink(value) };
    const snapshot = parseCapabilitySnapshot(value);
    return { file: name, link: { ...snapshot.link, opaqueSchemas: snapshot.opaqueSchemas }, snapshot };
  } catch (error) {
    if (!(error instanceof CapabilityError) && !(error instanceof CanonicalJsonError)) throw error;
    const place = error instanceof CanonicalJsonError && error.position ? `:${error.line}:${error.column}` : "";
    throw new CliError("unreadable-input", `${error.message} (${error.code})`, {
      where: `${name}${place}${error.path ? ` at ${error.path}` : ""}`,
      expected: "a capability link or a capability snapshot, as JSON",
      cause: error,
    });
  }
}
