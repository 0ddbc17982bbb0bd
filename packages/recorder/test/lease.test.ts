import { mkdirSync, readdirSync, renameSync, rmdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { MACHINE } from "../src/sink/machine.ts";
import { chainOf, entriesOf, fileHandles, leasesIn, record, SECRET, temporaryFolder } from "./support.ts";

/** In milliseconds: how often a writer renews its lease. */
const MINUTE = 60_000;
/** The lease of the session s0, as left behind by a killed process. */
const LEFT_BEHIND = `s0.4194305-${MACHINE}-0.open`;

function fakeIntervals(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("a writer that was silent acknowledges nothing once another process took its session over, and says so", async () => {
  const store = temporaryFolder();
  const errors: unknown[] = [];
  const silent = await record({ store, mode: "before", onError: (error) => errors.push(error) });
  const first = silent.record({ kind: "call", call: "c1" });
  await first.ready;
  const [lease = ""] = leasesIn(store);
  // The state after a process on another machine took over the session and was killed before it could report that.
  renameSync(join(store, lease), join(store, `${silent.sessionId}.1-00000000-1.open`));
  utimesSync(join(store, `${silent.sessionId}.1-00000000-1.open`), 0, 0);
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session: silent.sessionId }]);
  await next.close();
  await expect(silent.record({ kind: "call", call: "c2" }).ready).rejects.toMatchObject({ code: "lost" });
  await expect(silent.record({ kind: "call", call: "c3" }).ready).rejects.toMatchObject({ code: "lost" });
  await expect(silent.think({ type: "plan", content: "x" }).ready).rejects.toMatchObject({ code: "lost" });
  await expect(silent.close()).rejects.toMatchObject({ code: "taken-over" });
  expect(errors).toEqual([expect.objectContaining({ code: "taken-over" })]);
  expect(silent.lost).toBe(3);
  const ids = (await entriesOf(chainOf(silent, store))).flatMap((entry) =>
    "record" in entry ? [entry.record.id] : [],
  );
  expect(ids).toContain(first.id);
  expect(leasesIn(store)).toEqual([]);
});

test("a lease is renamed before it counts again after a silence, and kept when the file system says so", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store, mode: "before" });
  const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 600_000);
  onTestFinished(() => now.mockRestore());
  await recorder.record({ kind: "call", call: "c1" }).ready;
  expect(leasesIn(store)).toEqual([`${recorder.sessionId}.${process.pid}-${MACHINE}-1.open`]);
  await recorder.close();
  expect(leasesIn(store)).toEqual([]);
});

test("a writer that has nothing to record renews its lease each minute", async () => {
  fakeIntervals();
  const store = temporaryFolder();
  const recorder = await record({ store });
  const lease = join(store, leasesIn(store)[0] ?? "");
  for (const minute of [1, 2]) {
    utimesSync(lease, minute, minute);
    vi.advanceTimersByTime(MINUTE);
    await expect.poll(() => statSync(lease).mtimeMs).toBeGreaterThan(MINUTE);
  }
  await recorder.close();
});

test("renewing a lease that another process has taken ends no process, and gives nothing back", async () => {
  fakeIntervals();
  const store = temporaryFolder();
  const recorder = await record({ store, mode: "before" });
  const taken = `${recorder.sessionId}.1-00000000-1.open`;
  renameSync(join(store, leasesIn(store)[0] ?? ""), join(store, taken));
  // vitest would fail because of an unhandled rejection.
  vi.advanceTimersByTime(MINUTE);
  await expect(recorder.record({ kind: "call", call: "c1" }).ready).rejects.toMatchObject({ code: "lost" });
  await expect(recorder.close()).rejects.toMatchObject({ code: "taken-over" });
  expect(leasesIn(store)).toEqual([taken]);
});

test("a session whose lease finds no room on the disk does not begin, and leaves nothing in the folder", async () => {
  const store = temporaryFolder();
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  const write = vi.spyOn(await fileHandles(), "write").mockRejectedValueOnce(full);
  onTestFinished(() => write.mockRestore());
  await expect(record({ store })).rejects.toMatchObject({ code: "unavailable", cause: full });
  expect(readdirSync(store)).toEqual([]);
});

test("a lease that cannot be taken over makes the folder unavailable, and is left as it is", async () => {
  const store = temporaryFolder();
  mkdirSync(join(store, LEFT_BEHIND));
  await expect(record({ store })).rejects.toMatchObject({ code: "unavailable", cause: { code: "EISDIR" } });
  expect(readdirSync(store)).toEqual([LEFT_BEHIND]);
});

test("a session whose report cannot be remembered is reported again, and keeps no other one from beginning", async () => {
  const store = temporaryFolder();
  writeFileSync(join(store, LEFT_BEHIND), "\n");
  writeFileSync(join(store, "s0.jsonl"), "{}\n");
  const taken = join(store, `s0.${process.pid}-${MACHINE}-1.open`);
  const aside = join(store, "aside");
  // Between the search for sessions without an end and the report, a folder gets the lease's name; it must not be
  // deleted.
  const create = async (): Promise<Uint8Array> => {
    renameSync(taken, aside);
    mkdirSync(taken);
    return SECRET;
  };
  const encrypt = { create, get: async () => SECRET, delete: async () => false };
  const errors: unknown[] = [];
  const recorder = await record({ store, encrypt, onError: (error) => errors.push(error) });
  const message = expect.stringContaining("sessions without an end will be reported again: ");
  expect(errors).toEqual([expect.objectContaining({ code: "unavailable", message })]);
  await recorder.record({ kind: "call", call: "c1" }).durable();
  await recorder.close();
  rmdirSync(taken);
  renameSync(aside, taken);
  utimesSync(taken, 0, 0); // as if an earlier process had taken it
  const next = await record({ store });
  expect([recorder.unended, next.unended]).toEqual(Array(2).fill([{ session: "s0", head: undefined, cut: 0 }]));
  await next.close();
  expect(leasesIn(store)).toEqual([]);
});

test("names that differ by case alone, and those of devices, are names of different files", async () => {
  const store = temporaryFolder();
  for (const sessionId of ["monday", "Monday", "CON", "con", "con.jsonl"]) {
    const recorder = await record({ store, sessionId });
    await recorder.close();
  }
  expect(readdirSync(store).sort()).toEqual([
    "+0+con.jsonl",
    "+0+con.jsonl.jsonl",
    "+1+monday.jsonl",
    "+7+con.jsonl",
    "monday.jsonl",
  ]);
});
