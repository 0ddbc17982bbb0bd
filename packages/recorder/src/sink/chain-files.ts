import { open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isWriterGone, MACHINE } from "./machine.ts";
import { syncFolder } from "./write-durably.ts";

/** `<session>.<process id>-<machine>.open.jsonl`: a chain whose session has not ended. */
const OPEN_CHAIN = /^(.+)\.(\d{1,10})-([0-9a-f]{8})\.open\.jsonl$/s;
/** In milliseconds. On another machine a chain counts as left behind when its file was not touched for this long. */
const LEFT_BEHIND_AFTER = 300_000;
/** In milliseconds. How often a writer touches its file. */
export const TOUCH_EVERY = 60_000;
const BLOCK = 64 * 1024;
const LINE_FEED = 0x0a;

/** The name of the file of a session that this process writes. */
export function openName(session: string): string {
  return `${session}.${process.pid}-${MACHINE}.open.jsonl`;
}

/** The name of the file of a session that has ended. */
export function endedName(session: string): string {
  return `${session}.jsonl`;
}

/** An open chain that this process has taken over from one that is gone. */
export interface TakenChain {
  readonly session: string;
  readonly path: string;
}

/** Takes over the chains in `folder` whose writers are gone. Of several processes that try, one gets each chain. */
export async function takeLeftBehind(folder: string): Promise<TakenChain[]> {
  const taken: TakenChain[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const [, session, pid, machine] = OPEN_CHAIN.exec(name) ?? [];
    if (session === undefined || machine === undefined) continue;
    const from = join(folder, name);
    const path = join(folder, openName(session));
    try {
      const { mtimeMs } = await stat(from);
      const times = { begun: mtimeMs, last: mtimeMs, leftBehindAfter: LEFT_BEHIND_AFTER };
      if (!isWriterGone({ pid: Number(pid), machine }, times)) continue;
      // Touched, so that it counts as one that this process writes as soon as it has that name.
      await utimes(from, new Date(), new Date());
      await rename(from, path);
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") continue; // another process was faster
      throw error;
    }
    taken.push({ session, path });
  }
  return taken;
}

/** The last whole line of a chain, with its line feed, and how many bytes of a half line were cut behind it. */
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

/** The offset behind the last line feed before `end`; 0 where there is none. */
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

/** Gives the file of a session the name that it keeps, and deletes it where it is empty. */
export async function endChain(folder: string, path: string, session: string): Promise<void> {
  const { size } = await stat(path);
  if (size === 0) await rm(path);
  else await rename(path, join(folder, endedName(session)));
  await syncFolder(folder);
}
