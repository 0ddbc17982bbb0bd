import type { JsonObject } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, type ServerSnapshot } from "../src/index.ts";
import { anyJson, snapshotOf } from "./arbitraries.ts";

const tool: JsonObject = { name: "read", description: "Reads", inputSchema: { type: "object" } };
const failure = { failure: { code: "timeout", message: "No answer within 10 s" } };

describe("a check that cannot tell", () => {
  const lock = createLock({ a: snapshotOf([tool]), b: snapshotOf([]) });

  test("a failure is unknown, never the same", () => {
    expect(checkLock(lock, { a: snapshotOf([tool]), b: failure })).toMatchObject({
      outcome: "unknown",
      servers: [
        { server: "a", outcome: "same" },
        { server: "b", outcome: "unknown", failure: failure.failure, drifts: [] },
      ],
    });
  });

  test("unknown takes precedence over drift, and the drift is reported as well", () => {
    expect(checkLock(lock, { a: snapshotOf([]), b: failure })).toMatchObject({
      outcome: "unknown",
      servers: [{ outcome: "drift", drifts: [{ type: "item-removed" }] }, { outcome: "unknown" }],
    });
  });

  test("a locked server that was not read is unknown, unless `only` leaves it out", () => {
    expect(checkLock(lock, { a: snapshotOf([tool]) })).toMatchObject({
      outcome: "unknown",
      servers: [{}, { failure: { code: "not-read" } }],
    });
    expect(checkLock(lock, { a: snapshotOf([tool]) }, { only: ["a"] })).toMatchObject({
      outcome: "same",
      servers: [{ server: "a" }],
    });
    expect(checkLock(lock, {}, { only: ["nobody"] }).outcome).toBe("unknown");
  });

  test("a check of no server is unknown", () => {
    expect(checkLock(createLock({}), {}).outcome).toBe("unknown");
    expect(checkLock(lock, {}, { only: [] }).outcome).toBe("unknown");
  });

  test("two tools of one name, or one that cannot be hashed, are unknown", () => {
    const twice = snapshotOf([tool, { ...tool, description: "evil" }]);
    expect(checkLock(lock, { a: twice }, { only: ["a"] }).servers[0]).toMatchObject({
      outcome: "unknown",
      failure: { code: "duplicate-name" },
    });
    const lone = snapshotOf([{ ...tool, description: "\ud800" }]);
    expect(checkLock(lock, { a: lone }, { only: ["a"] }).servers[0]).toMatchObject({
      outcome: "unknown",
      failure: { code: "invalid-definition" },
    });
  });

  test("a server that is not locked is drift", () => {
    expect(checkLock(createLock({}), { __proto__x: snapshotOf([tool]) })).toMatchObject({
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
      a: snapshotOf([tool]),
      b: snapshotOf([tool, { name: "__proto__" }]),
      c: snapshotOf([{ name: "__proto__" }]),
    });
    expect(checkLock(lock, { a: snapshotOf([tool]), b: failure, c: snapshotOf([]) }).collisions).toEqual([
      { name: "read", servers: ["a", "b"] },
    ]);
    expect(checkLock(lock, { d: snapshotOf([{ name: "__proto__" }]) }, { only: ["d"] }).collisions).toEqual([
      { name: "__proto__", servers: ["b", "c", "d"] },
      { name: "read", servers: ["a", "b"] },
    ]);
  });
});

test("a check never throws for what servers say", () => {
  const anyHostile = fc
    .record({ tools: fc.array(anyJson), serverInfo: anyJson, capabilities: anyJson })
    .map((said) => ({ ...snapshotOf([]), ...said }) as unknown as ServerSnapshot);
  fc.assert(
    fc.property(anyHostile, (hostile) => {
      const { outcome } = checkLock(createLock({ s: snapshotOf([tool]) }), { s: hostile });
      expect(outcome).not.toBe("same");
    }),
  );
});
