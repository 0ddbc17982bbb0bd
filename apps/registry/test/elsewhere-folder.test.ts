import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openElsewhere } from "../src/elsewhere/elsewhere.ts";

const SENT = 200;

test("a folder of checkpoints is read completely while notes in it are replaced", async () => {
  const folder = mkdtempSync(join(tmpdir(), "registry-elsewhere-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const elsewhere = openElsewhere(folder);
  const noteOf = (size: number): string => `example.com/registry\n${size}\n`;
  const newestOf = (notes: readonly string[]): number => Math.max(...notes.map((note) => Number(note.split("\n")[1])));
  await elsewhere.send(noteOf(1));
  let sent = 1;
  const sending = (async () => {
    while (sent < SENT) {
      await elsewhere.send(noteOf(sent + 1));
      sent++;
    }
  })();
  let reads = 0;
  while (sent < SENT) {
    const before = sent;
    expect(newestOf(await elsewhere.read())).toBeGreaterThanOrEqual(before);
    reads++;
  }
  await sending;
  expect(reads).toBeGreaterThan(10);
  expect(await elsewhere.read()).toEqual([noteOf(SENT)]);
});

test("a folder that is missing is an error at once", async () => {
  await expect(openElsewhere(join(tmpdir(), "registry-no-such-folder")).read()).rejects.toThrow("ENOENT");
});
