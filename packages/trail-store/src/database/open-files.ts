import { statSync } from "node:fs";
import { TrailStoreError } from "../errors.ts";

/**
 * Returns a function that checks whether `path` still leads to the database that a connection has open, with its log
 * next to it. SQLite itself continues to write to its open files after they were removed, renamed or replaced, and what
 * it writes is lost once they are closed.
 *
 * @throws {@link TrailStoreError} `unavailable` from the returned function when `path` leads to another file or none.
 */
export function watchOpenFiles(path: string): () => void {
  const opened = [path, `${path}-wal`].map((name) => ({ name, identity: identityOf(name) }));
  return () => {
    const gone = opened.find(({ name, identity }) => identityOf(name) !== identity);
    if (gone === undefined) return;
    const message = `${gone.name} was removed, renamed or replaced while the store had it open: records stored since then may be lost; open the store again`;
    throw new TrailStoreError("unavailable", message);
  };
}

function identityOf(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}
