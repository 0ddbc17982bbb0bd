import { fileURLToPath } from "node:url";
import { checkArgument } from "./check-argument.ts";
import type { Backend } from "./database/backend.ts";
import { DEFAULT_RETRY_FOR_MS } from "./database/retry.ts";
import { notPartitioned, TrailStoreError } from "./errors.ts";
import { TrailStore } from "./store.ts";
import type { TrailStoreOptions } from "./store-options.ts";

/**
 * Opens the store at `url`, and creates it if there is none: `file:trail.db`, `sqlite::memory:` or
 * `postgres://user@host/database`.
 *
 * @throws {@link TrailStoreError} `unsupported-url` when `url` has another form, `not-a-trail-store` when there is no
 * store and none may be created, or when the database holds something else; `unavailable`, `corrupt`, `busy` or
 * `disk-full` when the database cannot be used.
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
  checkArgument("url", url, "string");
  checkArgument("options", options, "object");
  return new TrailStore(await openBackend(url, options), options);
}

async function openBackend(url: string, options: TrailStoreOptions): Promise<Backend> {
  const { create = true, readonly = false, retryForMs = DEFAULT_RETRY_FOR_MS, partitioned = false } = options;
  const access = readonly ? "read" : create ? "create" : "write";
  checkNode(process.versions.node);
  // Each driver is loaded only for a URL that needs it, because loading one takes time and memory.
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import("./database/postgres.ts");
    return openPostgres(url, access, retryForMs, options);
  }
  const path = pathOf(url);
  if (path === undefined || path.includes("\0")) {
    const message = "expected file:<path>, sqlite::memory: or postgres://…; received another kind of URL";
    throw new TrailStoreError("unsupported-url", message);
  }
  if (partitioned) throw notPartitioned();
  const { openSqlite } = await import("./database/sqlite.ts");
  return openSqlite(path, access, retryForMs);
}

/**
 * Refuses a Node version in which the drivers would end the process.
 *
 * @throws {@link TrailStoreError} `unavailable` when `version` is older than 22.12.
 */
function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return;
  throw new TrailStoreError("unavailable", `databases need Node 22.12 or later, and this is Node ${version}`);
}

function pathOf(url: string): string | undefined {
  if (!url.startsWith("file://")) {
    const path = /^(?:file|sqlite):(.+)$/s.exec(url)?.[1];
    // Other URLs, and URLs with a host, do not name a file and may contain a password.
    return path === undefined || /^\s*(?:\/\/[^/]|.*:\/\/)/s.test(path) ? undefined : path;
  }
  try {
    return fileURLToPath(url);
  } catch {
    // The URL names another host, or is not escaped correctly.
    return undefined;
  }
}
