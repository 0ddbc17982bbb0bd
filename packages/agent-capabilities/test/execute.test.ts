import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Composable,
  type EvaluatedTool,
  evaluateComposable,
  type Hooks,
  jsonSchema,
  policy,
  type ToolExecutedEvent,
  tool,
  toolkit,
} from "../src/index.ts";
import { anything, namedTool } from "./support.ts";

async function enabled(root: Composable, ctx: object = {}): Promise<EvaluatedTool<unknown>> {
  const { tools } = await evaluateComposable(root, { env: {}, ...ctx });
  return Object.values(tools)[0] as EvaluatedTool<unknown>;
}

describe("input", () => {
  const positive = z.object({ n: z.coerce.number().positive() });

  test("is validated, and the handler receives the schema's output", async () => {
    const half = await enabled(tool({ name: "half", inputSchema: positive, handler: (_ctx, { n }) => n / 2 }));
    expect(await half.execute({ n: "4" })).toBe(2);
  });

  test("that does not match the schema never reaches the handler", async () => {
    let ran = 0;
    const half = await enabled(tool({ name: "half", inputSchema: positive, handler: () => ran++ }));
    await expect(half.execute({ n: -1 })).rejects.toMatchObject({
      code: "invalid-input",
      toolName: "half",
      path: "/n",
      issues: [{ path: "/n", message: expect.any(String) }],
      message: expect.stringContaining("(at /n)"),
    });
    expect(ran).toBe(0);
  });

  test("issue paths may be objects, absent, or symbols", async () => {
    const path = [{ key: "a/b" }, 0, Symbol("s")];
    const picky = jsonSchema(true, { validate: () => ({ issues: [{ message: "no", path }, { message: "at all" }] }) });
    const t = await enabled(tool({ name: "t", inputSchema: picky, handler: () => 1 }));
    await expect(t.execute(1)).rejects.toMatchObject({
      path: "/a~1b/0/Symbol(s)",
      issues: [{ path: "/a~1b/0/Symbol(s)" }, { path: "" }],
      message: expect.stringContaining("at all (at the root)"),
    });
    const mute = jsonSchema(true, { validate: () => ({ issues: [] }) });
    const m = await enabled(tool({ name: "m", inputSchema: mute, handler: () => 1 }));
    await expect(m.execute(1)).rejects.toMatchObject({ code: "invalid-input", path: "" });
  });

  test("of a schema that cannot validate is refused", async () => {
    const inputSchema = { "~standard": { vendor: "v", version: 1 } } as never;
    const t = await enabled(tool({ name: "t", inputSchema, handler: () => 1 }));
    await expect(t.execute({})).rejects.toMatchObject({ code: "invalid-schema", toolName: "t" });
  });

  test("of a JSON Schema without a validator is refused", async () => {
    const t = await enabled(tool({ name: "t", inputSchema: jsonSchema({ type: "object" }), handler: () => 1 }));
    await expect(t.execute({})).rejects.toThrow("received no validate function");
  });
});

describe("policies at execution", () => {
  test("live ones are evaluated again, and snapshot ones are not, also around toolkits", async () => {
    const asked: string[] = [];
    const note = (id: string) => (): boolean => asked.push(id) > 0;
    const live = policy("live", note("live"));
    const around = policy("around", note("around"));
    const snapshot = policy("snapshot", note("snapshot"), { executeBinding: "snapshot" });
    const t = await enabled(
      toolkit([namedTool("t", [live, snapshot, around])], { name: "k", policies: [around, snapshot] }),
    );
    asked.length = 0;
    expect(await t.execute(1)).toBe("t");
    expect(asked).toEqual(["around", "live"]);
  });

  test("a policy that denies at execution causes an error with its id", async () => {
    const env = { allowed: true };
    const t = await enabled(namedTool("t", [policy("tenant", () => env.allowed)]), { env });
    env.allowed = false;
    await expect(t.execute(1)).rejects.toMatchObject({ code: "policy-denied", policyId: "tenant", toolName: "t" });
  });

  test("a policy that fails now stops the tool", async () => {
    let up = true;
    const t = await enabled(namedTool("t", [policy("p", () => (up ? true : Promise.reject(new Error("down"))))]));
    up = false;
    await expect(t.execute(1)).rejects.toMatchObject({
      code: "policy-failed",
      message: 'policy "p" of execution "t" failed: down',
    });
  });
});

describe("hooks", () => {
  test("are called from the outermost toolkit down to the tool, and then the context's", async () => {
    const calls: string[] = [];
    const named = (name: string): Hooks => ({
      onToolExecuted: async ({ toolName }) => void calls.push(`${name} ${toolName}`),
      onPolicyEvaluated: ({ phase }) => void calls.push(`${name} ${phase}`),
    });
    const t = tool({
      name: "t",
      inputSchema: anything,
      policies: [policy("p", () => true)],
      hooks: named("tool"),
      handler: () => 1,
    });
    const bound = await enabled(toolkit([t], { name: "k", hooks: named("toolkit") }), { hooks: named("ctx") });
    await bound.execute(1);
    expect(calls).toEqual([
      "toolkit toolkit",
      "ctx toolkit",
      ...["toolkit execution", "tool execution", "ctx execution"],
      ...["toolkit t", "tool t", "ctx t"],
    ]);
  });

  test("see input, output and error, and change no hash", async () => {
    const events: ToolExecutedEvent[] = [];
    const hooks: Hooks = { onToolExecuted: (event) => void events.push(event) };
    const boom = new RangeError("boom");
    const handler = (_ctx: unknown, input: unknown): string => {
      if (input === "bad") throw boom;
      return "out";
    };
    const t = tool({ name: "t", inputSchema: anything, hooks, handler });
    const bound = await enabled(t, { env: "e" });
    await bound.execute("good");
    await expect(bound.execute("bad")).rejects.toBe(boom);
    expect(events).toEqual([
      { toolName: "t", ok: true, input: "good", output: "out", env: "e" },
      { toolName: "t", ok: false, input: "bad", error: boom, env: "e" },
    ]);
    expect(t.staticHash).toBe(tool({ name: "t", inputSchema: anything, handler }).staticHash);
  });
});

describe("signals", () => {
  const hang = tool({ name: "hang", inputSchema: anything, handler: () => new Promise<never>(() => {}) });

  test("of the call and of the context both end it, and reach the handler", async () => {
    const [context, call] = [new AbortController(), new AbortController()];
    let seen: AbortSignal | undefined;
    const t = tool({
      name: "t",
      inputSchema: anything,
      handler: (ctx) => {
        seen = ctx.signal;
        return "done";
      },
    });
    const bound = await enabled(t, { signal: context.signal });
    expect(await bound.execute(1, { signal: call.signal })).toBe("done");
    call.abort();
    expect(seen?.aborted).toBe(true);
    await expect(bound.execute(1, { signal: call.signal })).rejects.toMatchObject({ code: "aborted" });
    context.abort();
    await expect(bound.execute(1)).rejects.toMatchObject({ code: "aborted" });
  });

  test("end a handler that ignores them", async () => {
    const controller = new AbortController();
    const pending = (await enabled(hang)).execute(1, { signal: controller.signal });
    queueMicrotask(() => controller.abort("enough"));
    await expect(pending).rejects.toMatchObject({ code: "aborted", cause: "enough" });
  });
});
