import { manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import {
  createConsentGate,
  MANIFEST_MAX_BYTES,
  parseManifest,
  receiveToolCall,
  sensitivityInEffect,
  type ToolCall,
} from "../src/index.ts";
import { DEFAULT_TIMEOUT_MS } from "../src/limits.ts";
import { STANDARD_SCOPES } from "../src/sensitivity.ts";
import { callOf, pending, refusal } from "./support/tool-calls.ts";

describe("outcomes", () => {
  test.each([
    [{ status: "ok", result: { lines: 3 } }],
    [{ status: "ok", result: null }],
    [{ status: "denied", reason: "user_rejected" }],
    [{ status: "error", reason: "ENOENT" }],
  ])("%j", async (outcome) => {
    const { calls, time } = pending();
    const settled = calls.call(callOf("1"));
    expect(calls.receive({ subtype: "tool_response", call_id: "1", ...outcome })).toBe("settled");
    expect(await settled).toEqual(outcome);
    expect([calls.size, time.tasks.size]).toEqual([0, 0]);
  });

  test("responses find their calls in any order", async () => {
    const { calls } = pending();
    const settled = ["a", "b", "c"].map((id) => calls.call(callOf(id)));
    for (const id of ["c", "a", "b"]) calls.receive({ call_id: id, status: "ok", result: id });
    expect(await Promise.all(settled)).toEqual(["a", "b", "c"].map((result) => ({ status: "ok", result })));
  });

  test("an agent waits for as long as a client can take: the tool's time, and the user's where the text limits it", () => {
    const levels = ["low", "medium", "high"] as const;
    const scopes = ["a:a", ...Object.keys(STANDARD_SCOPES)];
    for (const [id, level] of scopes.flatMap((id) => levels.map((level) => [id, level] as const))) {
      for (const timeout_ms of [undefined, 500]) {
        const manifest = manifestOf({
          tools: [toolOf("read_file", { permission_scope: id, ...(timeout_ms !== undefined && { timeout_ms }) })],
          permission_scopes: [scopeOf(id, level)],
        });
        const inEffect = sensitivityInEffect({ id, sensitivity: level });
        const limit = { low: 0, medium: Number.POSITIVE_INFINITY, high: 30_000 }[inEffect] + (timeout_ms ?? 10_000);
        const { calls, time } = pending({ manifest });
        void calls.call(callOf("1"));
        if (limit === Number.POSITIVE_INFINITY) {
          for (let passed = 0; passed < 3; passed++) time.pass(2_147_483_647);
          expect(calls.size, `${id} ${level}`).toBe(1);
          expect(calls.receive({ call_id: "1", status: "ok" })).toBe("settled");
        } else {
          time.pass(limit - 1);
          expect(calls.size, `${id} ${level}`).toBe(1);
          time.pass(1);
          expect(calls.size, `${id} ${level}`).toBe(0);
        }
        expect(time.tasks.size).toBe(0);
      }
    }
  });

  test("the time limit that the caller sets counts whatever the sensitivity, and without a manifest there are 40 seconds", async () => {
    const { calls, time } = pending({ manifest: manifestOf() });
    const settled = calls.call(callOf("1"), { timeoutMs: 5 });
    time.pass(5);
    expect(await settled).toEqual({ status: "timeout" });
    const unknown = pending();
    void unknown.calls.call(callOf("1"));
    expect(unknown.time.waits()).toEqual([40_000]);
  });

  test("a call that the user allows late runs the tool once, because the agent still waits for a medium call", async () => {
    const manifest = manifestOf();
    const { calls, time } = pending({ manifest });
    const outcome = calls.call(callOf("1"));
    const gate = createConsentGate({ now: () => 0 });
    gate.accept(manifest);
    const place = { device_id: "d", session_id: "s" };
    expect(receiveToolCall(callOf("1"), manifest, gate, place).decision.decision).toBe("prompt");
    time.pass(45_000);
    expect(gate.answer("1", true)).toEqual({ decision: "execute" });
    expect(calls.receive({ call_id: "1", status: "ok", result: "ran" })).toBe("settled");
    expect(await outcome).toEqual({ status: "ok", result: "ran" });
  });

  test("a wait that is too long for setTimeout is divided into several", async () => {
    const { calls, time } = pending({
      manifest: manifestOf({
        tools: [toolOf("read_file", { timeout_ms: 5_000_000_000 })],
        permission_scopes: [scopeOf("files:read", "high")],
      }),
    });
    const settled = calls.call(callOf("1"));
    void calls.call(callOf("2"));
    for (const part of [2_147_483_647, 2_147_483_647, 705_062_706]) {
      expect(time.waits()).toEqual([part, part]);
      time.pass(part);
      expect(calls.size).toBe(part === 705_062_706 ? 0 : 2);
    }
    expect(await settled).toEqual({ status: "timeout" });
  });

  test("a call with a divided wait can be cancelled in each part", () => {
    const { calls, time } = pending();
    for (const id of ["1", "2"]) void calls.call(callOf(id), { timeoutMs: Number.POSITIVE_INFINITY });
    calls.cancel("1");
    expect(time.waits()).toEqual([2_147_483_647]);
    time.pass(2_147_483_647);
    expect(time.waits()).toEqual([2_147_483_647]);
    calls.cancel("2");
    expect(time.waits()).toEqual([]);
  });

  test("cancelled calls end at once", async () => {
    const { calls, time } = pending();
    const settled = [calls.call(callOf("1")), calls.call(callOf("2"))];
    expect([calls.cancel("1"), calls.cancel("1")]).toEqual([true, false]);
    calls.cancelAll();
    expect(await Promise.all(settled)).toEqual([{ status: "cancelled" }, { status: "cancelled" }]);
    expect(time.tasks.size).toBe(0);
  });
});

describe("what is refused", () => {
  test("a second response, a response to an unknown call, and an invalid response", () => {
    const { calls } = pending({ maxResponseBytes: 100 });
    void calls.call(callOf("1"));
    const ok = { call_id: "1", status: "ok", result: 1 };
    expect(["settled", "duplicate"].map(() => calls.receive(ok))).toEqual(["settled", "duplicate"]);
    expect(calls.receive({ ...ok, call_id: "2" })).toBe("unknown");
    const broken = [
      null,
      "ok",
      {},
      { ...ok, status: "fine" },
      { call_id: "1", status: "denied", reason: "no" },
      { call_id: "1", status: "error", reason: 1 },
    ];
    expect(broken.map((response) => calls.receive(response))).toEqual(broken.map(() => "invalid"));
  });

  test("an id may be used again when its call has ended", async () => {
    const { calls } = pending();
    void calls.call(callOf("1"));
    expect(refusal(() => calls.call(callOf("1")))).toBe("DUPLICATE_CALL_ID /call_id");
    calls.cancel("1");
    const again = calls.call(callOf("1"));
    calls.receive({ call_id: "1", status: "ok", result: 2 });
    expect(await again).toEqual({ status: "ok", result: 2 });
  });

  test("calls of another form, too many, too large, of an unknown tool, or against the schema", () => {
    const schema = {
      type: "object",
      properties: { path: { $ref: "#/$defs/path" }, url: { format: "uri" }, on: true },
      required: ["path"],
      additionalProperties: false,
      $defs: { path: { type: "string", pattern: "^(a+)+$" } },
      maxProperties: 2,
    } as const;
    const manifest = manifestOf({ tools: [toolOf("read_file", { input_schema: schema as never })] });
    const { calls } = pending({ manifest, maxCalls: 1, maxArgumentBytes: 1000 });
    const send = (values: ToolCall["arguments"]): string =>
      refusal(() => calls.call(callOf("1", { arguments: values })));
    expect(refusal(() => calls.call(callOf("")))).toBe("INVALID_TOOL_CALL /call_id");
    expect(refusal(() => calls.call(callOf("1", { tool_name: "toString" })))).toBe("UNKNOWN_TOOL /tool_name");
    expect(send({})).toBe("INVALID_ARGUMENTS /arguments/path");
    expect(send({ path: 1 })).toBe("INVALID_ARGUMENTS /arguments/path");
    expect(send({ path: `${"a".repeat(500)}!` })).toBe("INVALID_ARGUMENTS /arguments/path");
    expect(send({ path: "a", mode: "w" })).toBe("INVALID_ARGUMENTS /arguments/mode");
    expect(send({ path: "a", on: 1, url: "x" })).toBe("INVALID_ARGUMENTS /arguments");
    expect(send({ path: "a".repeat(1000) })).toBe("INVALID_ARGUMENTS /arguments");
    expect(send({ path: JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`) })).toBe("INVALID_ARGUMENTS /arguments");
    expect(send({ path: 1n as never })).toBe("INVALID_ARGUMENTS /arguments");
    expect(send({ path: "aaa", url: "not checked" })).toBe("accepted");
    expect(refusal(() => calls.call(callOf("2", { arguments: { path: "a" } })))).toBe("TOO_MANY_CALLS ");
    calls.cancelAll();
  });
});

test("the time that an absent timeout_ms means is exported", () => {
  expect(DEFAULT_TIMEOUT_MS).toBe(10_000);
});

test("a tool can be called by any name that a manifest can give it", () => {
  const name = "a".repeat(100_000);
  const manifest = manifestOf({ tools: [toolOf(name, { description_i18n_key: "long" })] });
  expect(parseManifest(manifest).ok).toBe(true);
  const { calls } = pending({ manifest });
  expect(refusal(() => calls.call(callOf("1", { tool_name: name })))).toBe("accepted");
  expect(refusal(() => calls.call(callOf("2", { tool_name: "a".repeat(MANIFEST_MAX_BYTES + 1) })))).toBe(
    "INVALID_TOOL_CALL /tool_name",
  );
  calls.cancelAll();
});

test("a tool whose schema cannot be read gets all arguments", () => {
  let deep: object = { type: "number" };
  for (let level = 0; level < 400; level++) deep = { not: deep };
  const tools = [
    toolOf("read_file", { input_schema: { type: "object", additionalProperties: false, not: deep as never } }),
  ];
  const { calls } = pending({ manifest: manifestOf({ tools }) });
  expect(refusal(() => calls.call(callOf("1")))).toBe("accepted");
});

test("a schema without properties accepts no argument", () => {
  const tools = [toolOf("read_file", { input_schema: { type: "object", additionalProperties: false } })];
  const { calls } = pending({ manifest: manifestOf({ tools }) });
  expect(refusal(() => calls.call(callOf("1", { arguments: { a: 1 } })))).toBe("INVALID_ARGUMENTS /arguments/a");
});

test("20,000 calls leave no memory in use", async () => {
  const { calls, time } = pending();
  for (let index = 0; index < 20_000; index++) {
    const settled = calls.call(callOf(String(index)));
    calls.receive({ call_id: String(index), status: "ok", result: index });
    await settled;
  }
  expect([calls.size, time.tasks.size]).toEqual([0, 0]);
  expect(calls.receive({ call_id: "19999", status: "ok", result: 0 })).toBe("duplicate");
  expect(calls.receive({ call_id: "0", status: "ok", result: 0 })).toBe("unknown");
});
