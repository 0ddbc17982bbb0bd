import { createReadStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseThoughtLines, verifyThoughtLines } from "@agentprint/trail/chain";
import { onTestFinished } from "vitest";
import { createRecorder, type Recorder, type RecorderOptions, readEvents, type TrailEntry } from "../src/index.ts";

export const SECRET: Uint8Array = new Uint8Array(32).fill(7);

/** A folder that is deleted when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recorder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The prototype of all open files of this thread: a test makes the next write fail as on a full disk. */
export async function fileHandles(): Promise<FileHandle> {
  const file = await open(import.meta.filename);
  await file.close();
  return Object.getPrototypeOf(file);
}

/** Records in this thread, where coverage is measured. */
export function record(options: Partial<RecorderOptions> & { readonly store: string }): Promise<Recorder> {
  return createRecorder({ key: SECRET, agentId: "planner", thread: false, ...options });
}

/** The entries of a JSON Lines file, whose chain has no problem. */
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

/** `kind` of an event, `is` of another entry. */
export function kindsOf(entries: readonly TrailEntry[]): string[] {
  return entries.map((entry) => (entry.is === "event" ? entry.event.kind : entry.is));
}

/** Paths of the chains in a folder. */
export function chainsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}

/** The sessions in a folder that are being written or were left without an end: the names of their leases. */
export function leasesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".open"));
}

export function chainOf({ sessionId }: Recorder, folder: string): string {
  return join(folder, `${sessionId}.jsonl`);
}
