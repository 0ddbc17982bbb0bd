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
import { MAX_DEPTH } from "@agentprint/tool-pins/judgement";
import { McpLockError } from "../errors.ts";
import { MAX_LOCK_BYTES } from "../limits.ts";
import { LOCK_VERSION, type LockedServer, type LockFile } from "./lock.ts";
import { entryShape, lockShape } from "./lock-shapes.ts";
import type { Shape } from "./shape.ts";

/** The number of levels of arrays and objects around a definition in a lock file. */
const LOCK_DEPTH = 6;

/** The limits within which the JSON text of a lock file is parsed. */
export const LOCK_TEXT: { readonly maxDepth: number; readonly maxBytes: number } = Object.freeze({
  maxDepth: MAX_DEPTH + LOCK_DEPTH,
  maxBytes: MAX_LOCK_BYTES,
});

/** A lock file whose entries may be any objects. */
type ReadFile = Omit<LockFile, "servers"> & { readonly servers: readonly JsonObject[] };

/** Returns the lock as it is in the file, with the entries in the same order, without verifying any digest. */
export function readLockFile(text: string | Uint8Array): LockFile {
  const value = parseText(text);
  if (isJsonObject(value) && "lockVersion" in value && value["lockVersion"] !== LOCK_VERSION) {
    throw unsupportedVersion(value["lockVersion"]);
  }
  const file = accept<ReadFile>(lockShape, value, []);
  const names = new Set<string>();
  const servers = file.servers.map((server, index) => {
    const entry = accept<LockedServer>(entryShape, server, ["servers", index]);
    if (names.has(entry.name)) {
      throw new McpLockError("duplicate-name", `/servers/${index}/name`, "Another server has the same name");
    }
    names.add(entry.name);
    return entry;
  });
  return { ...file, servers };
}

function unsupportedVersion(version: JsonValue): McpLockError {
  const found = sliceWithoutSplittingSurrogates(JSON.stringify(version), 0, 40);
  const isNewer = typeof version === "number" && version > LOCK_VERSION;
  const fix = isNewer
    ? "a newer agentprint wrote it; read it with that version, or a newer one"
    : "pin the servers again with `agentprint pin`";
  const message = `Expected lock version ${LOCK_VERSION}, found ${found}: ${fix}`;
  return new McpLockError("unsupported-lock-version", "/lockVersion", message);
}

/** Returns the value as a `T`; throws if the value does not have the shape. */
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
    const { line, column, path, reason } = error;
    throw new McpLockError(error.code === "too-large" ? "too-large" : "invalid-json", path, reason, {
      cause: error,
      line,
      column,
    });
  }
}
