import { setImmediate } from "node:timers/promises";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Acknowledgement, Recorder } from "../src/index.ts";
import { chainOf, entriesOf, record, temporaryFolder } from "./support.ts";

/** The next step of one of several concurrent callers. */
type Step = "event" | "flush" | "long event" | "thought" | "turn";

const STEPS: fc.Arbitrary<Step> = fc.constantFrom("event", "event", "event", "thought", "long event", "flush", "turn");

async function walk(recorder: Recorder, steps: readonly Step[], receipts: Acknowledgement[]): Promise<void> {
  for (const step of steps) {
    if (step === "event") receipts.push(recorder.record({ kind: "asked", reason: "x".repeat(100) }));
    if (step === "long event") receipts.push(recorder.record({ kind: "asked", reason: "x".repeat(5_000) }));
    if (step === "thought") receipts.push(recorder.think({ type: "plan", content: "Go on." }));
    if (step === "flush") await recorder.flush();
    if (step === "turn") await setImmediate();
    if (receipts.length % 3 === 0) await receipts.at(-1)?.ready.catch(() => {});
  }
}

test("however recording calls interleave, each record is written once or counted as lost", async () => {
  const store = temporaryFolder();
  const walks = fc.array(fc.array(STEPS, { maxLength: 40 }), { minLength: 1, maxLength: 4 });
  const run = async (
    steps: readonly (readonly Step[])[],
    mode: "before" | "behind",
    thread: boolean,
    maxQueueBytes: number,
  ) => {
    const recorder = await record({ store, mode, thread, maxQueueBytes, groupMs: 1 });
    const receipts: Acknowledgement[] = [];
    await Promise.all(steps.map((own) => walk(recorder, own, receipts)));
    await recorder.close();
    const written = await entriesOf(chainOf(recorder, store));
    const gaps = written.flatMap((entry) => (entry.is === "event" && entry.event.kind === "gap" ? [entry.event] : []));
    const states = await Promise.all(
      receipts.map((receipt) =>
        receipt.durable().then(
          () => true,
          () => false,
        ),
      ),
    );
    const ids = written.flatMap((entry) => ("record" in entry ? [entry.record.id] : []));
    expect(ids.filter((id) => receipts.some((receipt) => receipt.id === id)).sort()).toEqual(
      receipts.flatMap(({ id }, index) => (states[index] ? [id] : [])).sort(),
    );
    expect(recorder.lost).toBe(states.filter((state) => !state).length);
    expect(gaps.reduce((sum, gap) => sum + gap.lost, 0)).toBe(recorder.lost);
    expect(written).toHaveLength(ids.length);
    expect(written).toHaveLength(states.filter(Boolean).length + gaps.length + 2);
  };
  const queues = fc.constantFrom(4_000, 20_000, 2 ** 20);
  await fc.assert(
    fc.asyncProperty(walks, fc.constantFrom("before" as const, "behind" as const), fc.boolean(), queues, run),
    {
      numRuns: runs(30),
    },
  );
});
