import { fileURLToPath } from "node:url";
import type { Backend } from "./backend.ts";
import { TrailStoreError } from "./errors.ts";
import { TrailStore, type TrailStoreOptions } from "./store.ts";

/**
 * Opens the store at `url`, and makes it where there is none: `file:trail.db`, `sqlite::memory:` or
 * `postgres://user@host/database`.
 *
 * @throws `TrailStoreError`: `unsupported-url`, `not-a-trail-store`, `unavailable`, `corrupt`, `busy`.
 *
 * @example
 * ```ts
 * import { openTrailStore } from "@agentprint/trail-store";
 *
 * const store = await openTrailStore("file:trail.db");
 * await store.append({ type: "plan", task_id: "task-42", agent_id: "planner", content: "Migrate the table." });
 * console.log((await store.verify("task-42")).ok); // true
 * await store.close();
 * ```
 */
export async function openTrailStore(url: string, options: TrailStoreOptions = {}): Promise<TrailStore> {
  return new TrailStore(await openBackend(url, options), options);
}

async function openBackend(url: string, options: TrailStoreOptions): Promise<Backend> {
  const { create = true, readonly = false, retryForMs = 30_000 } = options;
  const access = readonly ? "read" : create ? "create" : "write";
  checkNode(process.versions.node);
  // A driver is loaded when it is needed: each takes time and memory.
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(url, access, retryForMs);
  }
  const path = pathOf(url);
  if (path === undefined || path.includes("\0")) {
    const message = "expected file:<path>, sqlite::memory: or postgres://…; received another kind of URL";
    throw new TrailStoreError("unsupported-url", message);
  }
  const { openSqlite } = await import("./sqlite.ts");
  return openSqlite(path, access, retryForMs);
}

/** The drivers end the process of an older Node. @throws `TrailStoreError` `unavailable`. */
function checkNode(version: string): void {
  if (Number.parseInt(version, 10) >= 22) return;
  throw new TrailStoreError("unavailable", `databases need Node 22 or later, and this is Node ${version}`);
}

function pathOf(url: string): string | undefined {
  if (!url.startsWith("file://")) {
    const path = /^(?:file|sqlite):(.+)$/s.exec(url)?.[1];
    // A URL in a URL, or one with a host: no name of a file, and it may hold a password.
    return path === undefined || /^\s*(?:\/\/[^/]|.*:\/\/)/s.test(path) ? undefined : path;
  }
  try {
    return fileURLToPath(url);
  } catch {
    // Of another host, or not escaped as URLs are.
    return undefined;
  }
}
