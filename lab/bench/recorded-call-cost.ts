import { execFileSync } from "node:child_process";
import { median } from "./measure.ts";
import { closeEntries, openEntry } from "./recorder-entry.ts";

const RUNS = 7;
const CALLS = 10_000;
const RESULT = "x".repeat(1_022);

/**
 * Prints how many microseconds a recorded tool call with a result of 1 KB takes on the event loop's thread until the
 * record is written: the median of several runs in a separate process.
 */
export function recordedCallCost(): number {
  return Number(execFileSync(process.execPath, [import.meta.filename, "child"], { encoding: "utf8" }));
}

/** Returns this thread's processor time in microseconds. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

async function run({ telemetry, flush }: Awaited<ReturnType<typeof openEntry>>): Promise<number> {
  const before = spent();
  for (let index = 0; index < CALLS; index++) {
    const toolCall = {
      type: "tool-call",
      toolCallId: `c${index}`,
      toolName: "noop",
      input: { path: "a.txt" },
    } as const;
    const shared = { callId: "g", toolCallId: toolCall.toolCallId, toolCall, messages: [], toolContext: undefined };
    await telemetry.executeTool?.({ ...shared, execute: async () => RESULT });
    const toolOutput = { ...toolCall, type: "tool-result", output: RESULT } as const;
    await telemetry.onToolExecutionEnd?.({ ...shared, toolExecutionMs: 0, toolOutput } as never);
  }
  await flush();
  return (spent() - before) / CALLS;
}

if (process.argv[2] === "child") {
  const entry = await openEntry();
  await run(entry); // compiles the code
  const runs: number[] = [];
  for (let count = 0; count < RUNS; count++) runs.push(await run(entry));
  await closeEntries();
  console.log(median(runs));
}
