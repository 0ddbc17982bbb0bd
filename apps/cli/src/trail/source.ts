import { open, readFile } from "node:fs/promises";
import type { TrailStore } from "@agentprint/trail-store";
import { CliError } from "../errors.ts";
import { STDIN_NAME } from "../json/read-input.ts";

const STORE_URL = /^(?:file|sqlite|postgres|postgresql):/;

export function isStoreUrl(source: string): boolean {
  return STORE_URL.test(source);
}

/** `source` as it may be shown: the URL of a server without its password. */
export function withoutPassword(source: string): string {
  return source.replace(/^(postgres(?:ql)?:\/\/)(?:([^/:@]*):.*@)?([^?]*).*$/s, (_, scheme, user, rest) =>
    user === undefined ? `${scheme}${rest}` : `${scheme}${user}@${rest}`,
  );
}

const ACCESS = { create: {}, write: { create: false }, read: { readonly: true } } as const;

/** Runs `use` with the store at `url`, which the drivers are loaded for only here. */
export async function withStore<T>(
  url: string,
  access: keyof typeof ACCESS,
  use: (store: TrailStore) => Promise<T>,
): Promise<T> {
  if (!isStoreUrl(url)) {
    // It may hold a password.
    const [name, path] = url.includes("://") ? ["that", "<path>"] : [url, url];
    throw new CliError("usage", `${name} is not the URL of a store`, {
      expected: "file:<path>, sqlite:<path> or postgres://…",
      fix: `agentprint trail … file:${path}`,
    });
  }
  // Lets SQLite read a file in a folder that cannot be written.
  process.env["SQLITE_USE_URI"] ??= "1";
  const { openTrailStore } = await import("@agentprint/trail-store");
  const store = await openTrailStore(url, ACCESS[access]);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The bytes of a file, or of standard input for `-`, in a buffer that is used again. */
export async function* readChunks(file: string): AsyncGenerator<Uint8Array, void> {
  if (file === "-") {
    yield* process.stdin;
    return;
  }
  const handle = await open(file).catch((cause: unknown) => refuse(file, cause));
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** A small text file: a key or a signed note. */
export async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => refuse(file, cause));
}

function refuse(file: string, cause: unknown): never {
  throw new CliError("unreadable-input", `cannot read ${file === "-" ? STDIN_NAME : file}`, {
    expected: "a readable file, or - for standard input",
    fix: cause instanceof Error ? cause.message : String(cause),
    cause,
  });
}
