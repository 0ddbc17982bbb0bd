import { statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { outputOf, runProgram } from "@agentprint/testing/programs";
import { expect, onTestFinished, test } from "vitest";
import { chainOf, entriesOf, kindsOf, record, temporaryFolder } from "../support.ts";

const PROGRAM = fileURLToPath(new URL("record-into-dead-store.ts", import.meta.url));
const CALL = { kind: "call", call: "c1", tool: "x".repeat(1_000) } as const;

test.each(["recorder", "ai-sdk"])(
  "a store that does not write costs at most 64 MB, and the gap says how many events were lost: %s",
  (by) => {
    const url = `file:${join(temporaryFolder(), "trail.db")}`;
    const args = ["--expose-gc", "--conditions=@agentprint/source", PROGRAM, url, by];
    const { stdout, stderr } = runProgram(process.execPath, args);
    expect(stderr).toBe("");
    const { megabytes, recorded, lost, gaps, kinds } = JSON.parse(stdout);
    expect(megabytes).toBeLessThan(64);
    expect(lost).toBeGreaterThan(100_000);
    expect(gaps).toEqual([lost]);
    const { call, result, ...rest } = kinds;
    expect(call + result).toBe(recorded - lost);
    expect(rest).toEqual({ "session-start": 1, gap: 1, "session-end": 1 });
  },
);

test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "a full disk loses nothing that can wait",
  async () => {
    const store = temporaryFolder();
    outputOf("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", store]);
    onTestFinished(() => void outputOf("umount", [store]));
    const errors: string[] = [];
    const recorder = await record({ store, onError: ({ message }) => errors.push(message) });
    const filler = join(store, "filler");
    const { bavail, bsize } = statfsSync(store);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 4_096)));
    const receipts = Array.from({ length: 50 }, () => recorder.record(CALL));
    await expect.poll(() => errors).toEqual([expect.stringContaining("ENOSPC")]);
    writeFileSync(filler, "");
    await Promise.all(receipts.map((receipt) => receipt.durable()));
    await recorder.close();
    const entries = await entriesOf(chainOf(recorder, store));
    expect(kindsOf(entries)).toEqual(["session-start", ...receipts.map(() => "call"), "session-end"]);
  },
);

test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "on a disk with little room the gap is written, though what comes with it finds no room",
  async () => {
    const store = temporaryFolder();
    outputOf("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", store]);
    onTestFinished(() => void outputOf("umount", [store]));
    const errors: string[] = [];
    const options = { store, maxQueueBytes: 400_000, closeWithinMs: 2_000 };
    const recorder = await record({ ...options, onError: ({ message }) => errors.push(message) });
    const filler = join(store, "filler");
    const leave = (free: number): void => {
      writeFileSync(filler, "");
      const { bavail, bsize } = statfsSync(store);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free)));
    };
    leave(0);
    // The waiting events take more than 200,000 bytes; most of the 600 events do not fit into the queue and are lost.
    const receipts = Array.from({ length: 600 }, () => recorder.record(CALL));
    const { lost } = recorder;
    expect(lost).toBeGreaterThan(400);
    await expect.poll(() => errors.join(), { timeout: 60_000 }).toContain("ENOSPC");
    leave(260_000);
    await receipts[600 - lost - 1]?.durable();
    await setImmediate();
    // The gap is now waiting, and these events join the same write.
    for (let event = 0; event < 5; event++) recorder.record({ kind: "asked", reason: "x".repeat(30_000) });
    await expect(recorder.close()).rejects.toMatchObject({ code: "lost" });
    expect(await gapsIn(chainOf(recorder, store))).toEqual([lost]);
  },
);

async function gapsIn(path: string): Promise<(number | undefined)[]> {
  const entries = await entriesOf(path);
  return entries.flatMap((entry) => (entry.is === "event" && entry.event.kind === "gap" ? [entry.event.lost] : []));
}
