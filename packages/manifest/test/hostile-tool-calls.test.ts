import { manifestOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { callOf, pending, refusal } from "./support/tool-calls.ts";

describe("hostile values", () => {
  const CALL_ID = "1";
  const throwing = (name: string, after = 0): object => {
    let readings = 0;
    return Object.defineProperty({ call_id: CALL_ID, status: "ok", result: 1 }, name, {
      enumerable: true,
      get: () => {
        if (readings++ >= after) throw new Error("no");
        return { call_id: CALL_ID, status: "ok", result: 1 }[name];
      },
    });
  };
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const changing = (after: number, first: unknown, then: unknown): object => {
    let readings = 0;
    return Object.defineProperty({ call_id: CALL_ID, status: "ok" }, "result", {
      enumerable: true,
      get: () => (readings++ < after ? first : then),
    });
  };

  test("receive never throws, and a call ends with any response that names it", async () => {
    const responses = [
      ...["call_id", "status", "result"].flatMap((name) => [0, 1, 2, 3].map((after) => throwing(name, after))),
      revoked(),
      new Proxy({}, { get: () => CALL_ID, ownKeys: () => ["a"] }),
      { call_id: CALL_ID, toJSON: () => ({ call_id: CALL_ID, status: "ok", result: undefined }) },
      {
        call_id: CALL_ID,
        status: "ok",
        result: {
          toJSON: () => {
            throw new Error("no");
          },
        },
      },
      {
        call_id: CALL_ID,
        status: {
          toString: () => {
            throw new Error("no");
          },
        },
      },
      Object.create(null),
      Symbol("response"),
      () => CALL_ID,
    ];
    for (const response of responses) {
      const { calls, time } = pending();
      const settled = calls.call(callOf(CALL_ID));
      const receipt = calls.receive(response);
      expect(["invalid", "settled"]).toContain(receipt);
      // Only a response without a readable id leaves the call waiting.
      if (calls.size > 0) calls.cancelAll();
      else expect((await settled).status).toBe(receipt === "settled" ? "ok" : "error");
      expect([calls.size, time.tasks.size]).toEqual([0, 0]);
    }
  });

  test.each([0, 1, 2, 3, 4, 5, 6])(
    "a result is what was checked, whatever a getter answers after reading %i",
    async (after) => {
      const { calls } = pending();
      const settled = calls.call(callOf(CALL_ID));
      calls.receive(changing(after, { fine: true }, { toString: () => "never" }));
      const outcome = await settled;
      expect([
        { status: "ok", result: { fine: true } },
        { status: "ok", isResultUnreadable: true },
      ]).toContainEqual(outcome);
      const held = outcome as { result?: object };
      expect(
        Object.values(Object.getOwnPropertyDescriptors(held.result ?? {})).every(({ get }) => get === undefined),
      ).toBe(true);
    },
  );

  test.each([1, 2, 3, 4, 5])(
    "arguments are checked as they are, whatever a getter answers after reading %i",
    (after) => {
      let readings = 0;
      const values = Object.defineProperty({}, "path", {
        enumerable: true,
        get: () => (readings++ < after ? "fine" : 1),
      });
      const { calls } = pending({ manifest: manifestOf() });
      const outcome = refusal(() => calls.call(callOf("1", { arguments: values as never })));
      expect(["accepted", "INVALID_ARGUMENTS /arguments", "INVALID_ARGUMENTS /arguments/path"]).toContain(outcome);
      calls.cancelAll();
    },
  );

  test("calls that cannot be read are refused with a code", () => {
    const { calls } = pending({ manifest: manifestOf() });
    const getter = (name: string): object =>
      Object.defineProperty({ ...callOf("1") }, name, {
        enumerable: true,
        get: () => {
          throw new Error("no");
        },
      });
    const broken = [null, "call", revoked(), getter("call_id"), getter("arguments"), getter("extra")];
    expect(broken.map((call) => refusal(() => calls.call(call as never)).split(" ")[0])).toEqual(
      broken.map(() => "INVALID_TOOL_CALL"),
    );
    expect(refusal(() => calls.call(callOf("1", { arguments: throwing("path") as never })))).toBe(
      "INVALID_ARGUMENTS /arguments",
    );
    const proto = JSON.parse('{"__proto__": {"path": 1}}');
    expect(refusal(() => calls.call(callOf("1", { arguments: proto })))).toBe("INVALID_ARGUMENTS /arguments/__proto__");
    expect(calls.size).toBe(0);
  });
});

describe("a response to a waiting call", () => {
  const ok = { call_id: "1", status: "ok", result: 1 };
  const receive = async (response: unknown): Promise<unknown> => {
    const { calls, time } = pending({ maxResponseBytes: 1000 });
    const settled = calls.call(callOf("1"));
    const receipt = calls.receive(response);
    expect(time.tasks.size).toBe(0);
    expect(calls.receive(ok)).toBe("duplicate");
    return [receipt, await settled];
  };

  test.each<[string, object, object]>([
    ["a surplus null next to a result", { ...ok, reason: null }, { status: "ok", result: 1 }],
    ["a null subtype", { ...ok, subtype: null }, { status: "ok", result: 1 }],
    ["a surplus member", { ...ok, extra: 1, at: new Map() }, { status: "ok", result: 1 }],
    ["a surplus member that is too large", { ...ok, extra: "e".repeat(2000) }, { status: "ok", result: 1 }],
    ["no result", { call_id: "1", status: "ok" }, { status: "ok" }],
    ["the result null", { ...ok, result: null }, { status: "ok", result: null }],
    ["a result that is too large", { ...ok, result: "r".repeat(2000) }, { status: "ok", isResultUnreadable: true }],
    [
      "a result that nests too deep",
      { ...ok, result: JSON.parse("[".repeat(300) + "]".repeat(300)) },
      { status: "ok", isResultUnreadable: true },
    ],
    ["a result that is no JSON", { ...ok, result: 1n }, { status: "ok", isResultUnreadable: true }],
    [
      "a surplus null next to a denial",
      { call_id: "1", status: "denied", reason: "user_rejected", result: null },
      { status: "denied", reason: "user_rejected" },
    ],
    ["a denial with a null reason", { call_id: "1", status: "denied", reason: null }, { status: "denied" }],
    ["a denial without a reason", { call_id: "1", status: "denied" }, { status: "denied" }],
    ["a surplus null next to an error", { ...ok, status: "error", reason: "E" }, { status: "error", reason: "E" }],
    ["an error with a null reason", { call_id: "1", status: "error", reason: null }, { status: "error" }],
    ["an error with an empty reason", { call_id: "1", status: "error", reason: "" }, { status: "error", reason: "" }],
  ])("with %s settles the call", async (_name, response, outcome) => {
    expect(await receive(response)).toStrictEqual(["settled", outcome]);
  });

  test.each([
    ["an unknown status", { ...ok, status: "fine" }],
    ["a reason beyond the four", { call_id: "1", status: "denied", reason: "unknown_tool" }],
    ["another subtype", { ...ok, subtype: "tool_call" }],
    ["a result that is no JSON next to an unknown status", { ...ok, status: "fine", result: 1n }],
    ["a result that is too large next to an error", { ...ok, status: "error", reason: 1, result: "r".repeat(2000) }],
  ])("with %s is invalid and ends the call as an error", async (_name, response) => {
    expect(await receive(response)).toStrictEqual(["invalid", { status: "error", reason: "invalid_response" }]);
  });

  test("that names another call leaves the call waiting", () => {
    const { calls } = pending();
    void calls.call(callOf("1"));
    for (const call_id of ["2", "", null, 1, ["1"], { toString: () => "1" }]) {
      expect(calls.receive({ ...ok, call_id, status: "fine" })).toBe("invalid");
    }
    expect(calls.size).toBe(1);
    calls.cancelAll();
  });

  test("has absent members where they are undefined, and keeps the order of a result's members", async () => {
    const { calls } = pending();
    const settled = calls.call(callOf("1"));
    expect(calls.receive({ ...ok, result: { b: 1, a: [undefined].length }, reason: undefined })).toBe("settled");
    expect(JSON.stringify(await settled)).toBe('{"status":"ok","result":{"b":1,"a":1}}');
  });
});

describe("options", () => {
  const LIMITS = ["maxCalls", "maxArgumentBytes", "maxResponseBytes"] as const;

  test.each(LIMITS)("an undefined %s is the default", (name) => {
    const { calls } = pending({ [name]: undefined });
    expect(refusal(() => calls.call(callOf("1", { arguments: { path: "a".repeat(65_536) } })))).toBe(
      "INVALID_ARGUMENTS /arguments",
    );
    for (let id = 0; id < 1000; id++) void calls.call(callOf(String(id)));
    expect(refusal(() => calls.call(callOf("1000")))).toBe("TOO_MANY_CALLS ");
    expect(calls.receive({ call_id: "0", status: "ok", result: "r".repeat(1_048_576) })).toBe("settled");
    calls.cancelAll();
  });

  test.each(LIMITS)("a %s that is no whole number is refused", (name) => {
    for (const limit of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, null, "5", {}, 2 ** 53]) {
      expect(refusal(() => pending({ [name]: limit }))).toBe(`INVALID_OPTION /${name}`);
    }
    expect(refusal(() => pending({ [name]: 0 }))).toBe("accepted");
  });

  test.each([Number.NaN, -1, "5", {}])("a time of %s is refused before the call waits", (timeoutMs) => {
    const { calls, time } = pending();
    expect(refusal(() => calls.call(callOf("1"), { timeoutMs: timeoutMs as number }))).toBe(
      "INVALID_OPTION /timeoutMs",
    );
    expect([calls.size, time.tasks.size]).toEqual([0, 0]);
    void calls.call(callOf("1"), { timeoutMs: undefined });
    expect(time.waits()).toEqual([40_000]);
    calls.cancelAll();
  });
});
