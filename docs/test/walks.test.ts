import { expect, test } from "vitest";
import { readWalks, recorded } from "../../apps/scripts/src/walks.ts";

/** The most times that a client's message may return to a file of the guard. */
const MOST_RETURNS = 20;

test.each([...(await readWalks())])("the walk of %s returns at most 20 times", (_name, { stays, returns }) => {
  expect(returns, stays.join("\n")).toBeLessThanOrEqual(MOST_RETURNS);
  expect(stays[0]).toBe("connection/dispatcher.ts");
  expect(new Set(stays).size).toBeGreaterThan(5);
});

test("a function notes when it begins and ends, whatever its form", () => {
  const text =
    "class A { get b() { return [1].map((c) => c + 1); } }\nexport const d = (e) => ({ e });\nfunction f(): void {}";
  const stays: string[] = [];
  const walk = { enter: (file: string) => stays.push(file), leave: () => stays.push("end") };
  const source = recorded(text, "a.ts").replace("export ", "").replace(": void", "");
  const run = new Function("__walk", `${source}\nf(); return [new A().b, d(1)];`);
  expect(run(walk)).toEqual([[2], { e: 1 }]);
  expect(stays).toEqual(["a.ts", "end", "a.ts", "a.ts", "end", "end", "a.ts", "end"]);
});
