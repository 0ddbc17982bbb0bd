import { hashManifest } from "@agentprint/manifest";
import { withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { expect, test } from "vitest";
import { DiffJudge } from "../src/diff/judge.ts";

/** A manifest whose schema is expensive to compare with another one. */
function hard(seed: number) {
  const properties = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `p${index}`,
      { type: "string", pattern: `^(a|b|c${seed}){${index},${index + 40}}x?$` },
    ]),
  );
  const manifest = withScopes({ "a:b": "low" }, properties);
  return { hash: hashManifest(manifest), manifest };
}

test("diffs are computed in parallel with requests, cached, and refused if too many wait", async () => {
  const judge = new DiffJudge();
  const manifests = Array.from({ length: 37 }, (_, seed) => hard(seed));
  const [first, ...others] = manifests as [ReturnType<typeof hard>, ...ReturnType<typeof hard>[]];
  let turns = 0;
  const turning = setInterval(() => turns++, 1);
  const judged = await judge.judge(first, others[0] as ReturnType<typeof hard>);
  clearInterval(turning);
  expect(judged.breaking[0]?.compatibility?.verdict).toBeDefined();
  // The event loop was not blocked meanwhile.
  expect(turns).toBeGreaterThan(10);
  expect(await judge.judge(first, others[0] as ReturnType<typeof hard>)).toBe(judged);
  const same = others[1] as ReturnType<typeof hard>;
  const again = Array.from({ length: 40 }, () => judge.judge(first, same));
  const [one, ...rest] = await Promise.all(again);
  for (const other of rest) expect(other).toBe(one);
  const outcomes = Promise.allSettled(others.slice(2).map((other) => judge.judge(first, other)));
  await new Promise((resolve) => setImmediate(resolve));
  await judge.close();
  const refused = (await outcomes).filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThanOrEqual(2);
  for (const one of refused) expect(one).toMatchObject({ reason: { code: "UNAVAILABLE" } });
});
