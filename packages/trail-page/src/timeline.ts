import { count } from "@agentprint/findings";
import type { RecordedEvent, TrailEntry } from "@agentprint/recorder/events";
import type { Anchor } from "./anchors.ts";
import { type Row, rowOf, told } from "./row.ts";

/** A call whose end has not arrived yet. */
interface OpenCall {
  /** The index of the call's row. */
  readonly row: number;
  readonly time: string;
}

const END_OF: Readonly<Record<string, string>> = { result: "call", "model-result": "model-call" };
const STARTS: readonly string[] = Object.values(END_OF);

/**
 * Collects the rows for the entries that a reader finds. A call's end is added to the row of its start, and a
 * checkpoint follows its records.
 */
export class Timeline {
  readonly rows: Row[] = [];
  /** The checkpoints by task and size. */
  readonly #anchors = new Map<string, Anchor[]>();
  readonly #open = new Map<string, OpenCall>();
  /** The number of added records for each task. */
  readonly #sizes = new Map<string, number>();
  #places = 0;

  constructor(anchors: readonly Anchor[] = []) {
    for (const anchor of anchors) {
      const key = keyOf(anchor.task, String(anchor.size));
      this.#anchors.set(key, [...(this.#anchors.get(key) ?? []), anchor]);
    }
  }

  /** The number of added records and of values in place of records. */
  get places(): number {
    return this.#places;
  }

  /** Adds the reader's next entry. */
  add(entry: TrailEntry): void {
    const row = rowOf(entry, this.#places);
    if (entry.is !== "event" || !this.#joinsCall(entry.event, row)) this.rows.push(row);
    if (row.records.length === 0) return;
    this.#places++;
    const size = (this.#sizes.get(row.task) ?? 0) + 1;
    this.#sizes.set(row.task, size);
    this.#addAnchors(keyOf(row.task, String(size)));
  }

  /** Adds the checkpoints that cover more records than exist. */
  end(): void {
    for (const key of [...this.#anchors.keys()]) this.#addAnchors(key);
  }

  #joinsCall({ kind, session, call }: RecordedEvent, row: Row): boolean {
    if (call === undefined) return false;
    if (STARTS.includes(kind)) this.#open.set(keyOf(kind, session, call), { row: this.rows.length, time: row.time });
    const start = END_OF[kind];
    if (start === undefined) return false;
    const key = keyOf(start, session, call);
    const open = this.#open.get(key);
    if (open === undefined) return false;
    this.#open.delete(key);
    const before = this.rows[open.row] as Row;
    const why = told([...before.why, ...row.why, elapsed(open.time, row.time)]);
    this.rows[open.row] = { ...before, tone: row.tone, why, records: [...before.records, ...row.records] };
    return true;
  }

  #addAnchors(key: string): void {
    for (const { task, size, tone, says } of this.#anchors.get(key) ?? []) {
      const what = `the first ${count(size, "record")}`;
      this.rows.push({ sort: "anchor", tone, time: "", task, label: "checkpoint", what, why: [says], records: [] });
    }
    this.#anchors.delete(key);
  }
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Returns the time between two timestamps in words, or an empty text if they are not comparable. */
export function elapsed(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from);
  if (!(ms >= 0)) return "";
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
