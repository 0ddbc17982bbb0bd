import type { JsonObject } from "@agentprint/canonical-json";
import { anyJson } from "@agentprint/testing/lock/arbitrary-tools";
import { answersOf, type Offer } from "@agentprint/testing/lock/offer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkLock, createLock } from "../src/index.ts";

const tool: JsonObject = { name: "read", description: "Reads", inputSchema: { type: "object" } };
const failure = { failure: { code: "timeout", message: "No answer within 10 s" } };

describe("a check that cannot tell", () => {
  const lock = createLock({ a: answersOf([tool]), b: answersOf([]) });

  test("a failure is unknown, never the same", () => {
    expect(checkLock(lock, { a: answersOf([tool]), b: failure })).toMatchObject({
      outcome: "unknown",
      servers: [
        { server: "a", outcome: "same" },
        { server: "b", outcome: "unknown", failure: failure.failure, drifts: [] },
      ],
    });
  });

  test("unknown takes precedence over drift, and the drift is reported as well", () => {
    expect(checkLock(lock, { a: answersOf([]), b: failure })).toMatchObject({
      outcome: "unknown",
      servers: [{ outcome: "drift", drifts: [{ type: "item-removed" }] }, { outcome: "unknown" }],
    });
  });

  test("a locked server that was not read is unknown, unless `only` leaves it out", () => {
    expect(checkLock(lock, { a: answersOf([tool]) })).toMatchObject({
      outcome: "unknown",
      servers: [{}, { failure: { code: "not-read" } }],
    });
    expect(checkLock(lock, { a: answersOf([tool]) }, { only: ["a"] })).toMatchObject({
      outcome: "same",
      servers: [{ server: "a" }],
    });
    expect(checkLock(lock, {}, { only: ["nobody"] }).outcome).toBe("unknown");
  });

  test("a check without servers is unknown", () => {
    expect(checkLock(createLock({}), {}).outcome).toBe("unknown");
    expect(checkLock(lock, {}, { only: [] }).outcome).toBe("unknown");
  });

  test("two tools of one name, or one that cannot be hashed, are unknown", () => {
    const twice = answersOf([tool, { ...tool, description: "evil" }]);
    expect(checkLock(lock, { a: twice }, { only: ["a"] }).servers[0]).toMatchObject({
      outcome: "unknown",
      failure: { code: "duplicate-name" },
    });
    const lone = answersOf([{ ...tool, description: "\ud800" }]);
    expect(checkLock(lock, { a: lone }, { only: ["a"] }).servers[0]).toMatchObject({
      outcome: "unknown",
      failure: { code: "invalid-definition" },
    });
  });

  test("a server that is not locked is drift", () => {
    expect(checkLock(createLock({}), { __proto__x: answersOf([tool]) })).toMatchObject({
      outcome: "drift",
      servers: [
        { drifts: [{ type: "server-not-locked" }], checked: { tool: ["read"] }, digest: { after: expect.any(String) } },
      ],
    });
  });
});

describe("name collisions", () => {
  test("a tool name of several servers is reported, whether the servers were read or not", () => {
    const lock = createLock({
      a: answersOf([tool]),
      b: answersOf([tool, { name: "__proto__" }]),
      c: answersOf([{ name: "__proto__" }]),
    });
    expect(checkLock(lock, { a: answersOf([tool]), b: failure, c: answersOf([]) }).collisions).toEqual([
      { name: "read", servers: ["a", "b"] },
    ]);
    expect(checkLock(lock, { d: answersOf([{ name: "__proto__" }]) }, { only: ["d"] }).collisions).toEqual([
      { name: "__proto__", servers: ["b", "c", "d"] },
      { name: "read", servers: ["a", "b"] },
    ]);
  });
});

test("a check never throws for what servers say", () => {
  const anyHostile = fc
    .record({ tools: fc.array(anyJson), serverInfo: anyJson, capabilities: anyJson })
    .map(({ tools, ...said }) => answersOf(tools as JsonObject[], said as Partial<Offer>));
  fc.assert(
    fc.property(anyHostile, (hostile) => {
      const { outcome } = checkLock(createLock({ s: answersOf([tool]) }), { s: hostile });
      expect(outcome).not.toBe("same");
    }),
  );
});
