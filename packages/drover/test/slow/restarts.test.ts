import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runnerOf } from "../support/another-process.ts";

const inAnotherProcess = runnerOf(new URL("support/restart.ts", import.meta.url));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe.each(["ai-sdk", "mastra"])("a run of %s that one process left on disk", (framework) => {
  function paused(): string {
    const folder = mkdtempSync(join(tmpdir(), "drover-restart-"));
    folders.push(folder);
    expect(inAnotherProcess(framework, "pause", folder, "same")).toEqual({ deleted: [] });
    return folder;
  }

  test("is resumed by another process that has the same tool", () => {
    expect(inAnotherProcess(framework, "resume", paused(), "same")).toEqual({ answer: "Done.", deleted: ["a.txt"] });
  });

  test("is refused by another process whose tool has another schema, with the JSON Pointer, and resumes under its own", () => {
    const folder = paused();
    expect(inAnotherProcess(framework, "resume", folder, "changed")).toEqual({
      code: "spec-drift",
      pointers: expect.arrayContaining(["/tools/delete_file/inputSchema/~0standard/input/properties/path/maxLength"]),
      deleted: [],
    });
    expect(inAnotherProcess(framework, "resume", folder, "same")).toEqual({ answer: "Done.", deleted: ["a.txt"] });
  });
});
