import { execFileSync, spawnSync } from "node:child_process";
import { statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { chainOf, entriesOf, kindsOf, record, temporaryFolder } from "../support.ts";

const PROGRAM = fileURLToPath(new URL("record-into-dead-store.ts", import.meta.url));
const CALL = { kind: "call", call: "c1", tool: "x".repeat(1_000) } as const;

test.each(["recorder", "ai-sdk"])(
  "a store that does not write costs at most 64 MB, and the gap says how many events were lost: %s",
  (by) => {
    const url = `file:${join(temporaryFolder(), "trail.db")}`;
    const args = ["--expose-gc", "--conditions=@agentprint/source", PROGRAM, url, by];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
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
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", store]);
    onTestFinished(() => void execFileSync("umount", [store]));
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
