import { createReadStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseThoughtLines, verifyThoughtLines } from "@agentprint/trail/chain";
import { onTestFinished } from "vitest";
import { createRecorder, type Recorder, type RecorderOptions, readEvents, type TrailEntry } from "../src/index.ts";

export const SECRET: Uint8Array = new Uint8Array(32).fill(7);

/** Returns a folder that is deleted when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recorder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Returns the prototype of all open files in this thread, so that a test can make the next write fail as on a full
 * disk.
 */
export async function fileHandles(): Promise<FileHandle> {
  const file = await open(import.meta.filename);
  await file.close();
  return Object.getPrototypeOf(file);
}

/** Returns a recorder that records in this thread, where coverage is measured. */
export function record(options: Partial<RecorderOptions> & { readonly store: string }): Promise<Recorder> {
  return createRecorder({ key: SECRET, agentId: "planner", thread: false, ...options });
}

/** Returns the entries of a JSON Lines file, whose chain must be intact. */
export async function entriesOf(path: string): Promise<TrailEntry[]> {
  const report = await verifyThoughtLines(createReadStream(path));
  if (!report.ok) throw new Error(report.problems[0]?.message);
  return collect(readEvents(parseThoughtLines(createReadStream(path)), { keys: [SECRET] }));
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of source) values.push(value);
  return values;
}

/** Returns the `kind` of each event, and the `is` of each other entry. */
export function kindsOf(entries: readonly TrailEntry[]): string[] {
  return entries.map((entry) => (entry.is === "event" ? entry.event.kind : entry.is));
}

/** Returns the paths of the chains in a folder. */
export function chainsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}

/**
 * Returns the names of the leases in a folder, which belong to sessions that are being written or were left without an
 * end.
 */
export function leasesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".open"));
}

export function chainOf({ sessionId }: Recorder, folder: string): string {
  return join(folder, `${sessionId}.jsonl`);
}
