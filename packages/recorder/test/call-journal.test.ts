import { expect, test } from "vitest";
import { CallJournal } from "../src/adapters/call-journal.ts";
import { loadOptional } from "../src/adapters/trace-parent.ts";
import type { RecorderError } from "../src/index.ts";
import { eventsOf, outlineOf } from "./entries-support.ts";

const hostile = {
  toString(): string {
    throw new Error("no");
  },
};

test.each<[thrown: unknown, outcome: string, code: string]>([
  ["a text", "error", "string"],
  [undefined, "error", "undefined"],
  [hostile, "error", "unknown"],
  [new DOMException("stop", "AbortError"), "cancelled", "AbortError"],
  [AbortSignal.abort(new DOMException("late", "TimeoutError")).reason, "cancelled", "TimeoutError"],
])("whatever is thrown ends a call: %#", async (thrown, outcome, code) => {
  const events = await eventsOf(async (recorder) => {
    const call = await new CallJournal(recorder).begin({ kind: "call", tool: "odd", values: {} });
    call.threw(thrown);
    call.returned("too late");
    call.part("too late");
    call.left("abandoned");
  });
  expect(events[1]).toMatchObject({ outcome, code });
});

test("parts without a canonical text have no digest, and no parts are an empty array", async () => {
  const events = await eventsOf(async (recorder) => {
    const journal = new CallJournal(recorder);
    const odd = await journal.begin({ kind: "model-call", values: { messages: 1n } });
    odd.part(1n);
    odd.part("whole");
    odd.finished();
    (await journal.begin({ kind: "model-call", values: {} })).finished();
  });
  expect(events[0]).toMatchObject({ kind: "model-call", reason: "no-canonical-text" });
  expect(events[1]).toMatchObject({ outcome: "ok", reason: "no-canonical-text" });
  // SHA-256 of "[]"
  expect(events[3]?.digests).toEqual({ result: "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945" });
});

test("a call whose start is lost is not made in mode `before`, and continues in mode `behind`", async () => {
  const start = { kind: "call", tool: "x".repeat(2 ** 20), values: {} } as const;
  const before = await eventsOf(
    async (recorder) => expect(new CallJournal(recorder).begin(start)).rejects.toMatchObject({ code: "lost" }),
    { mode: "before" },
  );
  const behind = await eventsOf(async (recorder) => (await new CallJournal(recorder).begin(start)).returned("done"));
  for (const events of [before, behind]) expect(outlineOf(events)).toEqual(["gap", "gap"]);
});

test("an invalid event is not recorded, and the call continues", async () => {
  const errors: RecorderError[] = [];
  const events = await eventsOf(async (recorder) => {
    const journal = new CallJournal(recorder, { onError: (error) => errors.push(error) });
    (await journal.begin({ kind: "call", tool: 7 as never, values: {} })).returned("done");
  });
  expect(events).toEqual([]);
  expect(errors).toMatchObject([{ code: "invalid-event" }]);
});

test("a link without a canonical text is a fault", async () => {
  const link = () => ({ staticHash: 1n }) as never;
  const events = await eventsOf(async (recorder) => {
    (await new CallJournal(recorder, { link }).begin({ kind: "model-call", values: {} })).finished();
  });
  expect(outlineOf(events)).toEqual(["fault", "model-call", "model-result ok"]);
});

test("a missing package is not needed", () => {
  expect(
    loadOptional(() => {
      throw new Error("Cannot find module");
    }),
  ).toBeUndefined();
});
