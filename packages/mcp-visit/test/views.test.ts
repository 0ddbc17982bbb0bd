import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, visitServer } from "../src/index.ts";
import { answersAsAlone } from "./support/answers-as-alone.ts";
import { exclusive, options, scripted, tool, toolNames } from "./support/targets.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "views-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const BOTH = ["client", "bare"] as const;
const results = { "tools/list": [{ tools: [tool("one")] }] };

/** Returns the number of processes in a log of the scripted server. */
function startsIn(log: string): number {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes('"visitor"')).length;
}

test("views are asked at the same time, and each once where they are alike", async () => {
  const log = join(folder, "log");
  const { sessions } = await visitServer(scripted({ results, log }), options({ views: BOTH, settle: 1 }));
  expect(sessions.map(({ era, view }) => `${era}/${view}`)).toEqual([
    "legacy/client",
    "modern/client",
    "legacy/bare",
    "modern/bare",
  ]);
  expect(startsIn(log)).toBe(4);
});

describe.each(["port", "other"] as const)("a server with one %s", (kind) => {
  test("has the answers that it has alone", () => answersAsAlone(kind, folder, "auto", ["legacy", "modern"]));
});

test("a view that is asked alone is asked in one era after the other where no process of the server answers", async () => {
  for (let round = 0; round < 3; round++) {
    const target = exclusive({ eras: ["legacy"], results }, "file", join(folder, "lock"));
    const { sessions } = await visitServer(target, options({ settle: 1 }));
    expect(sessions.map(({ era }) => era)).toEqual(["legacy"]);
  }
});

test("views that differ are asked again, and what the second answers warn of is said alone", async () => {
  const log = join(folder, "log");
  const warnings: string[] = [];
  const errors = { "prompts/list": { code: -32000, message: "no" } };
  const toolsFor = { "claude-code": [tool("one"), tool("two")], mcp: [tool("one")] };
  const { sessions } = await visitServer(
    scripted({ eras: ["legacy"], toolsFor, errors, log }),
    options({ views: BOTH, settle: 1, protocol: "legacy", warn: (sentence) => warnings.push(sentence) }),
  );
  // Each view reads each list twice.
  expect(warnings).toHaveLength(4);
  expect(sessions.map(toolNames)).toEqual([["one", "two"], ["one"]]);
  expect(startsIn(log)).toBe(4);
});

test("a server that fails alike in each view fails with its own error", async () => {
  const log = join(folder, "log");
  const ended = scripted({ exitOn: "initialize", eras: ["legacy"], log });
  await expect(visitServer(ended, options({ views: BOTH }))).rejects.toMatchObject({ code: "server-ended" });
  const silent = scripted({ silent: ["initialize"], eras: ["legacy"], log: join(folder, "silent") });
  const limits = { ...DEFAULT_LIMITS, connectTimeout: 1500 };
  const visit = visitServer(silent, options({ views: BOTH, protocol: "legacy", limits }));
  await expect(visit).rejects.toMatchObject({ code: "server-timeout" });
  // One process for each view, and no others.
  expect(startsIn(join(folder, "silent"))).toBeLessThanOrEqual(2);
});

test("a visit that is called off starts no process again", async () => {
  const log = join(folder, "log");
  const target = scripted({ eras: ["legacy"], silent: ["tools/list"], log });
  const limits = { ...DEFAULT_LIMITS, totalTimeout: 1500 };
  const visit = visitServer(target, options({ views: BOTH, protocol: "legacy", limits }));
  await expect(visit).rejects.toMatchObject({ code: "server-timeout" });
  expect(startsIn(log)).toBeLessThanOrEqual(2);
});
