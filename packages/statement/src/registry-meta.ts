import { isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { z } from "zod";
import { StatementError } from "./errors.ts";
import { hash } from "./fields.ts";
import { isAddress } from "./places.ts";
import { checkShape } from "./shape.ts";

/**
 * The key in `_meta` that the MCP registry reserves for publishers, and the maximum number of bytes that it accepts
 * there.
 */
const PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided";
const MAX_PUBLISHER_BYTES = 4096;
/** Our member in it. */
const OWN = "agentprint";
const MAX_SETS = 16;

const address = z
  .string()
  .max(1000)
  .refine((text) => isAddress(text), "an address with https");

const REFERENCE = z.object({
  address,
  sha256: hash,
  tdh1: z.array(hash).min(1).max(MAX_SETS),
});

/** The reference in a `server.json` to the statement about its server. */
export interface StatementReference {
  /** Where the statement is. */
  readonly address: string;
  /** SHA-256 of its payload. */
  readonly sha256: string;
  /** The set hashes of the tools. */
  readonly tdh1: readonly string[];
}

/**
 * Returns a `server.json` with a reference to a statement and no other change.
 *
 * @throws {@link StatementError} `invalid-reference` if the registry would refuse it, or if a part is malformed
 */
export function withReference(server: JsonObject, reference: StatementReference): JsonObject {
  checkShape(REFERENCE, { ...reference } as unknown as JsonObject, "invalid-reference");
  const meta = membersOf(server["_meta"] ?? {}, "/_meta");
  const provided = membersOf(meta[PUBLISHER] ?? {}, pathOf());
  const own = membersOf(provided[OWN] ?? {}, pathOf(OWN));
  const statement = { address: reference.address, sha256: reference.sha256, tdh1: [...reference.tdh1] };
  const publisher = { ...provided, [OWN]: { ...own, statement } };
  // The registry escapes each of these characters as six bytes before it counts.
  const text = JSON.stringify(publisher).replace(/[<>&\u2028\u2029]/g, "\\u0000");
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_PUBLISHER_BYTES) {
    const expected = `at most ${MAX_PUBLISHER_BYTES} bytes`;
    throw new StatementError("invalid-reference", `a publisher has ${expected} here, but these are ${bytes}`, {
      path: pathOf(),
      expected,
    });
  }
  return { ...server, _meta: { ...meta, [PUBLISHER]: publisher } };
}

/**
 * Returns the reference to a statement in a `server.json`.
 *
 * @throws {@link StatementError} `invalid-reference` if it names no statement, or is malformed
 */
export function readReference(server: JsonValue): StatementReference {
  let [value, path] = [server, ""];
  for (const member of ["_meta", PUBLISHER, OWN, "statement"]) {
    value = membersOf(value, path)[member] ?? null;
    path += toPointer([member]);
  }
  try {
    return checkShape(REFERENCE, value, "invalid-reference");
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const { message, expected } = error;
    throw new StatementError("invalid-reference", message, { path: `${path}${error.path}`, expected });
  }
}

function pathOf(...members: readonly string[]): string {
  return toPointer(["_meta", PUBLISHER, ...members]);
}

function membersOf(value: JsonValue, path: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new StatementError("invalid-reference", "there is no object at this place", { path, expected: "an object" });
}
