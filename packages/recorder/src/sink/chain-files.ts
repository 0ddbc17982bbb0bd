import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileNameOf } from "./file-name.ts";
import { parseLeaseName, takeLease } from "./lease.ts";
import { isWriterGone } from "./machine.ts";

/**
 * In milliseconds. A session on another machine counts as abandoned if its lease was not updated for this long, in
 * milliseconds.
 */
const LEFT_BEHIND_AFTER = 300_000;
const BLOCK = 64 * 1024;
const LINE_FEED = 0x0a;

/** Returns the path of the file that holds a session's chain. The file has this name from the start. */
export function chainPath(folder: string, session: string): string {
  return join(folder, `${fileNameOf(session)}.jsonl`);
}

/** A session whose lease this process has taken over from a process that has ended. */
export interface TakenSession {
  readonly session: string;
  /** The path of the lease's file. */
  readonly lease: string;
}

/**
 * Takes over the leases in `folder` whose writers no longer exist. If several processes try this, each session goes to
 * only one of them.
 *
 * @param clockLead how far this process's clock is ahead of the file system's, in milliseconds
 */
export async function takeLeftBehind(folder: string, clockLead: number): Promise<TakenSession[]> {
  const taken: TakenSession[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const writer = parseLeaseName(name);
    if (writer === undefined) continue;
    const last = await timeOf(join(folder, name));
    if (last === undefined) continue;
    const time = last + clockLead;
    if (!isWriterGone(writer, { begun: time, last: time, leftBehindAfter: LEFT_BEHIND_AFTER })) continue;
    const lease = await takeLease(folder, name, writer);
    if (lease !== undefined) taken.push({ session: writer.session, lease });
  }
  return taken;
}

/** Returns the time when a file was last written; `undefined` if another process was faster. */
async function timeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Removes a partial line at the end of a chain. Returns the last complete line, with its line feed, and the number of
 * bytes that were removed.
 */
export async function cutHalfLine(path: string): Promise<{ readonly last: Uint8Array; readonly cut: number }> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const end = await lineFeedBefore(file, size);
    if (end < size) {
      await file.truncate(end);
      await file.sync();
    }
    const start = end === 0 ? 0 : await lineFeedBefore(file, end - 1);
    const last = Buffer.alloc(end - start);
    await file.read(last, 0, last.length, start);
    return { last, cut: size - end };
  } finally {
    await file.close();
  }
}

/** Returns the offset after the last line feed before `end`; 0 if there is none. */
async function lineFeedBefore(file: Awaited<ReturnType<typeof open>>, end: number): Promise<number> {
  const block = Buffer.alloc(BLOCK);
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - BLOCK);
    const { bytesRead } = await file.read(block, 0, to - from, from);
    const found = block.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (found >= 0) return from + found + 1;
    to = from;
  }
  return 0;
}
