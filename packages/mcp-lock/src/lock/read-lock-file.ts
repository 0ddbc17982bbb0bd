import {
  CanonicalJsonError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PathSegment,
  parseJson,
  sliceWithoutSplittingSurrogates,
  toPointer,
} from "@agentprint/canonical-json";
import { McpLockError } from "../errors.ts";
import { MAX_DEPTH, MAX_LOCK_BYTES } from "../limits.ts";
import { LOCK_VERSION, type LockEntry, type LockFile } from "./lock.ts";
import { lockShape, shapeOfEntry } from "./lock-shapes.ts";
import type { Shape } from "./shape.ts";

/** Levels of arrays and objects of a lock file that contain a definition. */
const LOCK_DEPTH = 6;

/** The limits within which the JSON text of a lock file is parsed. */
export const LOCK_TEXT: { readonly maxDepth: number; readonly maxBytes: number } = Object.freeze({
  maxDepth: MAX_DEPTH + LOCK_DEPTH,
  maxBytes: MAX_LOCK_BYTES,
});

/** A lock file whose entries may be any objects. */
type ReadFile = Omit<LockFile, "servers"> & { readonly servers: readonly JsonObject[] };

/** The lock as the file has it, entries in the order of the file; no digest is verified. */
export function readLockFile(text: string | Uint8Array): LockFile {
  const value = parseText(text);
  if (isJsonObject(value) && "lockVersion" in value && ![1, LOCK_VERSION].includes(value["lockVersion"] as number)) {
    const found = sliceWithoutSplittingSurrogates(JSON.stringify(value["lockVersion"]), 0, 40);
    const { lockVersion } = value;
    const isNewer = typeof lockVersion === "number" && lockVersion > LOCK_VERSION;
    const hint = isNewer ? ": a newer agentprint wrote it; read it with that version, or a newer one" : "";
    const message = `Expected lock version 1 or ${LOCK_VERSION}, found ${found}${hint}`;
    throw new McpLockError("unsupported-lock-version", "/lockVersion", message);
  }
  const file = accept<ReadFile>(lockShape, value, []);
  const { lockVersion, policy, servers } = file;
  if (policy !== undefined && lockVersion === 1) {
    throw new McpLockError("invalid-lock", "/policy", "A lock of version 1 has no policy");
  }
  const names = new Set<string>();
  const entries = servers.map((server, index) => {
    const entry = accept<LockEntry>(shapeOfEntry(server, lockVersion), server, ["servers", index]);
    if (names.has(entry.name)) {
      throw new McpLockError("duplicate-name", `/servers/${index}/name`, "Another server has the same name");
    }
    names.add(entry.name);
    return entry;
  });
  return { ...file, servers: entries };
}

/** The same value, which has the shape of a `T`. */
function accept<T>(shape: Shape, value: JsonValue, at: readonly PathSegment[]): T {
  const issue = shape(value);
  if (issue === undefined) return value as T;
  throw new McpLockError("invalid-lock", toPointer([...at, ...issue.path]), issue.message);
}

function parseText(text: string | Uint8Array): JsonValue {
  try {
    return parseJson(text, LOCK_TEXT);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    const { line, column, path, message } = error;
    throw new McpLockError(error.code === "too-large" ? "too-large" : "invalid-json", path, message, {
      cause: error,
      line,
      column,
    });
  }
}
