import { expect } from "vitest";
import type { RecordedEvent } from "../src/event/event.ts";
import type { Recorder, RecorderOptions } from "../src/index.ts";
import { chainOf, entriesOf, record, temporaryFolder } from "./support.ts";

/** An event without the members that the recorder adds. */
export type RecordedCallEvent = Omit<RecordedEvent, "agent" | "sequence" | "session">;

/** The sorted events of an agent whose model calls two tools, one of which fails, and then answers. */
export const OUTLINE_OF_ONE_TOOL_THAT_FAILS: readonly string[] = [
  "call",
  "call",
  "model-call",
  "model-call",
  "model-result ok",
  "model-result ok",
  "result error",
  "result ok",
];

/**
 * Returns the events of a session in which `run` runs, without the events about the session itself. Each start of a
 * call must be followed by exactly one end.
 */
export async function eventsOf(
  run: (recorder: Recorder, store: string) => unknown,
  options: Partial<RecorderOptions> = {},
): Promise<readonly RecordedCallEvent[]> {
  const store = temporaryFolder();
  const recorder = await record({ store, ...options });
  await run(recorder, store);
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  const events = entries.flatMap((entry) => {
    expect(entry.is).toBe("event");
    if (entry.is !== "event" || entry.event.kind.startsWith("session-")) return [];
    const { agent: _, sequence: __, session: ___, ...event } = entry.event;
    return [event as RecordedCallEvent];
  });
  expectPairs(events);
  return events;
}

function expectPairs(events: readonly RecordedCallEvent[]): void {
  for (const [start, end] of [
    ["call", "result"],
    ["model-call", "model-result"],
  ]) {
    const open: string[] = [];
    for (const { kind, call = "" } of events) {
      if (kind === start) open.push(call);
      if (kind === end) expect(open.splice(open.indexOf(call), 1)).toEqual([call]);
    }
    expect(open, `${start} without an end`).toEqual([]);
  }
}

/** Returns the `kind` of each event, with the outcome of each end. */
export function outlineOf(events: readonly RecordedCallEvent[]): string[] {
  return events.map(({ kind, outcome }) => (outcome === undefined ? kind : `${kind} ${outcome}`));
}
