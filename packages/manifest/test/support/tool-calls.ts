import {
  createPendingToolCalls,
  ManifestError,
  type PendingToolCalls,
  type PendingToolCallsOptions,
  type ToolCall,
} from "../../src/index.ts";

/** A scheduler whose time passes only through `pass`. */
export interface Scheduler {
  readonly tasks: ReadonlyMap<() => void, number>;
  schedule(run: () => void, ms: number): () => void;
  /** How long each task still waits. */
  waits(): number[];
  pass(ms: number): void;
}

function scheduler(): Scheduler {
  const tasks = new Map<() => void, number>();
  let now = 0;
  return {
    tasks,
    schedule(run: () => void, ms: number): () => void {
      tasks.set(run, now + ms);
      return () => tasks.delete(run);
    },
    waits(): number[] {
      return Array.from(tasks.values(), (at) => at - now);
    },
    pass(ms: number): void {
      now += ms;
      for (const [run, at] of tasks) {
        if (at > now) continue;
        tasks.delete(run);
        run();
      }
    },
  };
}

export function pending(options: Partial<PendingToolCallsOptions> = {}): {
  calls: PendingToolCalls;
  time: Scheduler;
} {
  const time = scheduler();
  return { calls: createPendingToolCalls({ schedule: time.schedule, ...options }), time };
}

export function callOf(call_id: string, fields: Partial<ToolCall> = {}): ToolCall {
  return { subtype: "tool_call", call_id, tool_name: "read_file", arguments: {}, ...fields };
}

export function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ManifestError) return `${error.code} ${error.path}`;
    throw error;
  }
  return "accepted";
}
