// Loaded before a registry (`node --import`): measures the processor time of each synchronous span, from one callback
// of the event loop to the next, including all ticks and promises between them, and writes the longest spans into the
// file that SPANS_FILE names.
import { createHook } from "node:async_hooks";
import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** The measurements so far. */
export interface Spans {
  readonly count: number;
  /** The longest spans in milliseconds, with the kind of callback that began each and when it ended. */
  readonly longest: readonly { readonly ms: number; readonly type: string; readonly at: string }[];
}

const MAX_LISTED = 20;
const WRITE_EVERY_MS = 1000;
const WITHIN_A_SPAN: ReadonlySet<string> = new Set(["TickObject", "PROMISE", "Microtask"]);

const file = process.env["SPANS_FILE"];
if (file !== undefined && isMainThread) measure(file);

function measure(path: string): void {
  const types = new Map<number, string>();
  let longest: { ms: number; type: string; at: string }[] = [];
  let count = 0;
  let began = cpuMs();
  let type = "start";
  createHook({
    init: (id, name) => {
      // Otherwise every promise and tick would be kept.
      if (!WITHIN_A_SPAN.has(name)) types.set(id, name);
    },
    before: (id) => {
      const next = types.get(id);
      if (next === undefined) return;
      const now = cpuMs();
      note(now - began);
      began = now;
      type = next;
    },
    destroy: (id) => {
      types.delete(id);
    },
  }).enable();
  const note = (ms: number): void => {
    count++;
    if (ms < (longest.at(-1)?.ms ?? 0) && longest.length === MAX_LISTED) return;
    longest.push({ ms, type, at: new Date().toISOString() });
    longest = longest.sort((a, b) => b.ms - a.ms).slice(0, MAX_LISTED);
  };
  // The work at startup does not belong to a request.
  process.once("SIGUSR2", () => {
    longest = [];
    count = 0;
  });
  setInterval(() => {
    const spans: Spans = { count, longest };
    writeFileSync(`${path}.new`, JSON.stringify(spans));
    renameSync(`${path}.new`, path);
  }, WRITE_EVERY_MS).unref();
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
