import { computeTextHash } from "@agentprint/content-hash";
import { createLock, formatLock } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { compareJob } from "../src/jobs/compare-job.ts";
import { PIECE_BYTES } from "../src/jobs/read-source.ts";
import { schemasJob } from "../src/jobs/schemas-job.ts";
import { textJob } from "../src/jobs/text-job.ts";
import { vectorJob } from "../src/jobs/vector-job.ts";
import { findSuite } from "../src/vector/find-suite.ts";

const lockOf = (...names: readonly string[]): string =>
  formatLock(createLock(Object.fromEntries(names.map((name) => [name, answersOf([])]))));

describe("a comparison", () => {
  test("of locks names the servers that only one of them has, and is no drift without any", async () => {
    expect(await compareJob({ before: lockOf("a", "b"), after: lockOf("b", "c") })).toMatchObject({
      kind: "lock",
      outcome: "drift",
      onlyBefore: ["a"],
      onlyAfter: ["c"],
    });
    expect(await compareJob({ before: lockOf("a"), after: lockOf("a") })).toMatchObject({ outcome: "same", total: 0 });
  });

  test("of manifests lists the first findings, and states how many there are", async () => {
    const tools = Array.from({ length: 250 }, (_, index) => toolOf(`tool_${index}`));
    const [before, after] = [manifestOf({ tools: [] }), manifestOf({ tools })].map((one) => JSON.stringify(one));
    const { findings, total } = await compareJob({ before: String(before), after: String(after) });
    expect([findings.length, total]).toEqual([200, 250]);
    expect(findings[0]).toMatchObject({ rule: "manifest/tool_added", subject: "after" });
  });

  test.each([
    ["two-kinds", lockOf("a"), JSON.stringify(manifestOf())],
    ["invalid-manifest", "{}", "{}"],
    ["unexpected-end", "", ""],
    ["duplicate-key", '{"a":1,"a":2}', "{}"],
  ])("is refused as %s", async (code, before, after) => {
    await expect(compareJob({ before, after })).rejects.toMatchObject({ code });
  });
});

test("a verdict has a value that proves it, as text", async () => {
  const schemas = { before: "{}", after: '{"maxLength":1}', direction: "input", values: "any" } as const;
  expect(await schemasJob(schemas)).toMatchObject({
    verdict: "breaking",
    counterexample: { value: expect.stringMatching(/^".{2,}"$/), acceptedBy: "before" },
    changes: [{ kind: "maxLength-added", effect: "narrows", sides: { after: "1" } }],
  });
  expect(await schemasJob({ ...schemas, values: "objects" })).toMatchObject({ verdict: "compatible" });
});

describe("the digests of texts", () => {
  test("are those of the text, also of a file whose line end lies in two pieces, with progress", async () => {
    const text = `${"x".repeat(PIECE_BYTES - 1)}\r\n one \n`;
    const progress: number[] = [];
    const result = await textJob({ first: text, second: new Blob([text]) }, ({ done }) => progress.push(done));
    for (const { level, digests } of result) {
      const digest = computeTextHash(text, level);
      expect(digests).toEqual([{ digest }, { digest }]);
    }
    expect(progress).toEqual([PIECE_BYTES, text.length]);
  });

  test("of bytes that are not text use the strictest level", async () => {
    const [bytes, ...levels] = await textJob({ first: new Blob([Uint8Array.of(0xff)]), second: "" }, () => {});
    expect(bytes?.digests).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    for (const { digests } of levels) expect(digests).toEqual([{ refusal: expect.any(String) }]);
  });
});

describe("a vector", () => {
  test.each([
    ["tr-hash-0001", { suite: "trail/compute-hash", id: "tr-hash-0001" }],
    ["trail/compute-hash", { suite: "trail/compute-hash", id: "" }],
    ["trail/compute-hash/tr-hash-0001", { suite: "trail/compute-hash", id: "tr-hash-0001" }],
    ["trail/other/tr-hash-0001", undefined],
    ["constructor/tr-hash-0001", undefined],
    ["tr-hash", undefined],
    ["constructor", undefined],
    ["__proto__-1", undefined],
  ])("%s is identified as %o", (asked, suite) => {
    expect(findSuite({ "trail/compute-hash": ["tr-hash"] }, asked)).toEqual(suite);
  });

  test("that fails is shown with its actual result, and a withdrawn one is not run", async () => {
    const one = { comment: "c", flags: [], input: { text: "a", level: "bytes" } };
    const suite = JSON.stringify({
      suite: "content-hash/x",
      operation: "canonical-json/no-such-operation",
      description: "d",
      source: "s",
      cases: [
        { ...one, id: "x-1", expected: { sha256: "0" } },
        { ...one, id: "x-2", expected: {}, withdrawn: "why" },
      ],
    });
    const all = await vectorJob({ suite, id: "" });
    expect(all).toMatchObject({ passed: 0, failed: 1, shown: [{ id: "x-1", status: "failed" }] });
    expect(all.shown[0]?.actual).toContain("not registered");
    expect(await vectorJob({ suite, id: "x-2" })).toMatchObject({ shown: [{ status: "withdrawn", comment: "why" }] });
  });
});
