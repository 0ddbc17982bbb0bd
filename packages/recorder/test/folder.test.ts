import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "../src/folder.ts";

const root = mkdtempSync(join(tmpdir(), "agentprint-folder-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a folder is made with those above it, and one that is there stays", async () => {
  const folder = join(root, "a", "b", "c");
  await Promise.all([makeFolder(folder, 0o700), makeFolder(folder, 0o700)]);
  expect([folder, join(root, "a")].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
  await makeFolder(folder);
  await makeFolder("/");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("many can make one folder at the same time", async () => {
  for (let round = 0; round < 50; round++) {
    const folder = join(root, `shared-${round}`, "a", "b", "c");
    await Promise.all(Array.from({ length: 40 }, () => makeFolder(folder)));
    expect(statSync(folder).isDirectory()).toBe(true);
  }
});

test("a file or a link to nothing in the way is refused", async () => {
  writeFileSync(join(root, "file"), "");
  symlinkSync(join(root, "nothing"), join(root, "link"));
  await expect(makeFolder(join(root, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(join(root, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
  await expect(makeFolder(join(root, "link", "below"))).rejects.toMatchObject({ code: "EEXIST" });
});

test.runIf(process.platform === "linux")("a place where the system makes no folder is refused", async () => {
  await expect(makeFolder("/proc/agentprint")).rejects.toMatchObject({ code: "ENOENT" });
  await expect(makeFolder("/proc/agentprint/a/b")).rejects.toMatchObject({ code: "ENOENT" });
});
