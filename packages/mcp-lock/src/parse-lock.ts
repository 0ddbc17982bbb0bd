import { CanonicalJsonError, type JsonValue, type PathSegment, parseJson, toPointer } from "@agentprint/canonical-json";
import { buildServer, lockOf } from "./create-lock.ts";
import { McpLockError } from "./errors.ts";
import type { ToolDigests } from "./fingerprint-tool.ts";
import { isObject } from "./json-object.ts";
import { MAX_DEPTH, MAX_LOCK_BYTES } from "./limits.ts";
import { LOCK_VERSION, type LockedServer, type LockFile } from "./lock.ts";
import { LockFileSchema } from "./lock-schema.ts";
import type { JsonObject } from "./snapshot.ts";

/** Levels of a lock file above a definition. */
const LOCK_DEPTH = 6;

/** What JSON text a lock file may be. */
export const LOCK_TEXT: { readonly maxDepth: number; readonly maxBytes: number } = {
  maxDepth: MAX_DEPTH + LOCK_DEPTH,
  maxBytes: MAX_LOCK_BYTES,
};

/**
 * Reads a lock file strictly and recomputes every digest in it.
 *
 * @throws {McpLockError} `invalid-json` with line and column when the text is not strict JSON, `too-large` when it is
 * longer than 64 MiB of UTF-8,
 * `unsupported-lock-version` when it is of another version, `invalid-lock` when it has another shape,
 * `digest-mismatch` when a definition and its digest do not belong together, `duplicate-name`, `invalid-definition`.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { parseLock } from "@agentprint/mcp-lock";
 *
 * const lock = parseLock(await readFile("agentprint.lock"));
 * ```
 */
export function parseLock(text: string | Uint8Array): LockFile {
  return lockOf(readEntries(text).map(verifyServer));
}

/** The entries in the order of the file; their digests are not verified. */
export function readEntries(text: string | Uint8Array): readonly LockedServer[] {
  const value = parseText(text);
  if (isObject(value) && "lockVersion" in value && value["lockVersion"] !== LOCK_VERSION) {
    const found = JSON.stringify(value["lockVersion"]).slice(0, 40);
    throw new McpLockError(
      "unsupported-lock-version",
      "/lockVersion",
      `Expected lock version ${LOCK_VERSION}, found ${found}: read it with the version of agentprint that wrote it`,
    );
  }
  const result = LockFileSchema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new McpLockError("invalid-lock", toPointer((issue?.path ?? []).map(String)), issue?.message ?? "Not a lock", {
      cause: result.error,
    });
  }
  const names = new Set<string>();
  for (const [index, server] of result.data.servers.entries()) {
    if (names.has(server.name)) {
      throw new McpLockError("duplicate-name", `/servers/${index}/name`, "Another server has the same name");
    }
    names.add(server.name);
  }
  return result.data.servers;
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

/** The entry rebuilt from its definitions, if it has the digests that the file says. */
function verifyServer(server: LockedServer, index: number): LockedServer {
  const at = ["servers", index];
  const rebuilt = buildServer(
    server.name,
    {
      ...server,
      tools: server.tools.map(definitionOf),
      prompts: server.prompts.map(definitionOf),
      resources: server.resources.map(definitionOf),
      resourceTemplates: server.resourceTemplates.map(definitionOf),
    },
    { server: at, definition: ["definition"] },
  );
  const tools = new Map(rebuilt.tools.map((tool) => [tool.definition, tool]));
  for (const [position, tool] of server.tools.entries()) {
    const digests = tools.get(tool.definition)?.digests;
    for (const name of Object.keys(tool.digests) as (keyof ToolDigests)[]) {
      expectDigest(tool.digests[name], digests?.[name], [...at, "tools", position, "digests", name]);
    }
  }
  for (const list of ["prompts", "resources", "resourceTemplates"] as const) {
    const items = new Map(rebuilt[list].map((item) => [item.definition, item]));
    for (const [position, item] of server[list].entries()) {
      expectDigest(item.digest, items.get(item.definition)?.digest, [...at, list, position, "digest"]);
    }
  }
  expectDigest(server.toolsDigest, rebuilt.toolsDigest, [...at, "toolsDigest"]);
  expectDigest(server.digest, rebuilt.digest, [...at, "digest"]);
  return rebuilt;
}

function definitionOf(item: { readonly definition: JsonObject }): JsonObject {
  return item.definition;
}

function expectDigest(written: string, computed: string | undefined, at: readonly PathSegment[]): void {
  if (written === computed) return;
  throw new McpLockError(
    "digest-mismatch",
    toPointer(at),
    `Expected ${computed}, the digest of what the file holds, found ${written}: the file was edited or damaged, pin again`,
  );
}
