import { fileURLToPath } from "node:url";
import type { Backend } from "./backend.ts";
import { TrailStoreError } from "./errors.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
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

async function openBackend(url: string, { create = true, retryForMs = 30_000 }: TrailStoreOptions): Promise<Backend> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, create, retryForMs);
  if (url.startsWith("file://")) return openSqlite(fileURLToPath(url), create, retryForMs);
  const [, path] = /^(?:file|sqlite):(.+)$/s.exec(url) ?? [];
  if (path === undefined) {
    const message = "expected file:<path>, sqlite::memory: or postgres://…; received another kind of URL";
    throw new TrailStoreError("unsupported-url", message);
  }
  return openSqlite(path, create, retryForMs);
}
