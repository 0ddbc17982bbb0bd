/**
 * Runs a row of one build in slices, whenever the process that forked this one requests them: `build-child.ts <suite>
 * <index> <benchmarks of the build> reaped|alone`, with `reaped` under a subreaper.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { consume, GATE_PART, median, type Suite } from "../measure.ts";
import type { Reply } from "./build-process.ts";
import { programsTime, threadTime, whenReaped } from "./processor-time.ts";
import type { Ready, Spent } from "./slices.ts";

type Job = () => unknown;

const WARM_UP_US = 200_000;

const [name = "", index = "0", benchmarks = "", place] = process.argv.slice(2);
const isReaped = place === "reaped";
let suite: Suite | undefined;
let processorTime = threadTime;

/** Returns the processor time of this thread and of the programs that it has started. */
const allTime = (): number => threadTime() + programsTime(isReaped);

async function load(): Promise<Job> {
  const { SUITES } = await import(pathToFileURL(join(benchmarks, "bench/suites.ts")).href);
  const loaded: Suite = await SUITES[name]();
  suite = loaded;
  const comparison = await loaded.comparisons(GATE_PART)[Number(index)]?.();
  if (comparison === undefined) throw new Error("this machine cannot measure this row");
  return comparison.contenders[comparison.ours] as Job;
}

async function run(job: Job, times: number): Promise<Spent> {
  const [processor, clock] = [processorTime(), process.hrtime.bigint()];
  for (let i = 0; i < times; i++) {
    const output = job();
    consume(output instanceof Promise ? await output : output);
  }
  const clockUs = Number(process.hrtime.bigint() - clock) / 1000;
  if (isReaped) await whenReaped();
  return { processor: Math.max(1, processorTime() - processor), clock: Math.max(1, clockUs) };
}

/** Runs the job until its code is compiled. */
async function warmUp(job: Job): Promise<Ready> {
  const [start, programs] = [allTime(), programsTime(isReaped)];
  const clocks: number[] = [];
  while (allTime() - start < WARM_UP_US) clocks.push((await run(job, 1)).clock);
  const runsPrograms = programsTime(isReaped) > programs;
  if (runsPrograms) processorTime = allTime;
  return { clock: median(clocks.slice(-200)), runsPrograms };
}

async function attempt<T extends Reply>(measure: () => Promise<T>): Promise<Reply> {
  try {
    return await measure();
  } catch (error) {
    return { missing: error instanceof Error ? error.message : "it threw a value that is not an error" };
  }
}

let job: Job = () => undefined;
process.on("message", async (times: number) => process.send?.(await attempt(() => run(job, times))));
process.once("disconnect", async () => {
  await suite?.close?.();
  process.exit();
});
process.send?.(
  await attempt(async () => {
    job = await load();
    return warmUp(job);
  }),
);
