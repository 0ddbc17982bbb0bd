import { describe, expect, test } from "vitest";
import { canonicalJob } from "../src/jobs/canonical-job.ts";
import { firstDifference } from "../src/jobs/first-difference.ts";
import { hexRows, PAGE_BYTES } from "../src/view/hex-rows.ts";

describe("two documents", () => {
  test("differ where the first value in canonical order differs", async () => {
    const { difference } = await canonicalJob({ first: '{"b":2,"a":1}', second: '{"b":3,"a":0}' });
    expect(difference).toMatchObject({ changes: 2, pointer: "/a", before: "1", after: "0", offset: 5 });
    expect(difference?.places.map((place) => place?.column)).toEqual([12, 12]);
  });

  test("are the same whatever their notation", async () => {
    expect((await canonicalJob({ first: '{"b":2,"a":1.0}', second: '{ "a": 1, "b": 2e0 }' })).difference).toBeNull();
  });

  test("have no offset where one profile refuses one of them", async () => {
    const { difference, documents } = await canonicalJob({ first: '"\\ud800"', second: '"a"' });
    expect(difference).toMatchObject({ pointer: "", before: '"\\ud800"' });
    expect(difference).not.toHaveProperty("offset");
    expect(documents[0]?.[0]).toMatchObject({ refusal: expect.stringContaining("lone surrogate") });
    expect(documents[0]?.[1]).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("that are files of more than 16 MiB are refused before they are read", async () => {
    const second = new Blob([new Uint8Array(16 * 2 ** 20 + 1)]);
    await expect(canonicalJob({ first: "{}", second })).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining(`received a file of ${second.size}`),
    });
  });
});

test("bytes differ first where one text ends, or at the first other byte", () => {
  const of = (text: string): Uint8Array => Buffer.from(text);
  expect(firstDifference(of("abc"), of("abd"))).toBe(2);
  expect(firstDifference(of("ab"), of("abd"))).toBe(2);
  expect(firstDifference(of("ab"), of("ab"))).toBeUndefined();
});

test("rows of bytes end with the page and with the bytes", () => {
  const rows = hexRows(
    Uint8Array.from({ length: PAGE_BYTES + 3 }, (_, index) => index),
    0,
  );
  expect(rows).toHaveLength(PAGE_BYTES / 8);
  expect(rows[4]?.text).toBe("·!\"#$%&'");
  expect(rows[5]).toEqual({ offset: 40, hex: ["28", "29", "2a", "2b", "2c", "2d", "2e", "2f"], text: "()*+,-./" });
  expect(hexRows(new Uint8Array(PAGE_BYTES + 3), PAGE_BYTES)).toEqual([
    { offset: PAGE_BYTES, hex: ["00", "00", "00"], text: "···" },
  ]);
});
