import { describe, expect, test } from "vitest";
import {
  CapabilityError,
  type Composable,
  computeRuntimeCapabilitiesFromEvaluation,
  dynamicToolkit,
  evaluateComposable,
  type PolicyEvaluatedEvent,
  policy,
  tool,
  toolkit,
} from "../src/index.ts";
import { anything, namedTool } from "./support.ts";

/** Returns a policy that records its evaluation in `trace`. */
function traced(trace: string[], id: string, answer: boolean | (() => never) = true): ReturnType<typeof policy> {
  return policy(id, () => {
    trace.push(id);
    return typeof answer === "boolean" ? answer : answer();
  });
}

const isIn = policy("in", () => true);

const fail = (): never => {
  throw new Error("directory is down");
};

describe("order and deduplication", () => {
  test("toolkit, then its members, then deeper; one object once, equal ids twice", async () => {
    const trace: string[] = [];
    const shared = traced(trace, "shared");
    const inner = toolkit([namedTool("c", [shared, traced(trace, "c")])], {
      name: "in",
      policies: [traced(trace, "in")],
    });
    const root = toolkit([namedTool("b", [traced(trace, "z"), shared]), inner, namedTool("a", [traced(trace, "z")])], {
      name: "out",
      policies: [traced(trace, "out")],
    });
    const { tools } = await evaluateComposable(root, { env: {} });
    expect(trace).toEqual(["out", "z", "shared", "in", "c", "z"]);
    expect(Object.keys(tools)).toEqual(["b", "c", "a"]);
  });

  test("a denied toolkit asks nothing of its members", async () => {
    const trace: string[] = [];
    const root = toolkit([namedTool("a", [traced(trace, "a")])], { name: "k", policies: [traced(trace, "k", false)] });
    const { tools, instructions } = await evaluateComposable(root, { env: {} });
    expect([trace, Object.keys(tools), instructions]).toEqual([["k"], [], ""]);
  });

  test("instructions of enabled tools and toolkits are joined by an empty line", async () => {
    const deny = policy("deny", () => false);
    const root = toolkit(
      [
        namedTool("a", [], ["a1", "a2"]),
        namedTool("b", [deny], ["never"]),
        toolkit([namedTool("c", [deny])], { name: "empty", instructions: ["never"] }),
        toolkit([namedTool("d")], { name: "text", instructions: "one text" }),
        namedTool("e", [], [""]),
      ],
      { name: "k", instructions: ["k1", "", "k2"] },
    );
    expect((await evaluateComposable(root, { env: {} })).instructions).toBe("k1\n\nk2\n\na1\n\na2\n\none text");
  });

  test("a tool named __proto__ is a tool like any other", async () => {
    const { tools } = await evaluateComposable(toolkit([namedTool("__proto__")], { name: "k" }), { env: {} });
    expect(Object.keys(tools)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("execute");
  });
});

describe("dynamic toolkits", () => {
  const flagged = dynamicToolkit({
    name: "flagged",
    instructions: ["Beta tools may fail."],
    create: async (ctx: { env: { beta: boolean } }) => (ctx.env.beta ? [namedTool("beta_search")] : []),
  });

  test("created members change only the runtime hash", async () => {
    const [off, on] = await Promise.all([false, true].map((beta) => evaluateComposable(flagged, { env: { beta } })));
    expect([off?.instructions, on?.instructions]).toEqual(["", "Beta tools may fail."]);
    const hashes = [off, on].map((evaluation) => computeRuntimeCapabilitiesFromEvaluation(evaluation as never));
    expect(hashes.map(({ toolRefs }) => toolRefs)).toEqual([
      [],
      [{ toolKey: "beta_search", toolHash: namedTool("beta_search").staticHash }],
    ]);
  });

  test("its policies are evaluated before create, which does not run if one denies", async () => {
    let created = 0;
    const create = (): Composable[] => [namedTool(`t${created++}`)];
    const denied = dynamicToolkit({ name: "d", policies: [policy("no", () => false)], create });
    await evaluateComposable(toolkit([denied], { name: "k" }), { env: {} });
    expect(created).toBe(0);
  });

  test("one that creates itself is a cycle, and one that always creates another is too deep", async () => {
    const self: Composable = dynamicToolkit({ name: "self", create: () => [self] });
    await expect(evaluateComposable(self, { env: {} })).rejects.toMatchObject({ code: "cycle" });
    const endless = (): Composable => dynamicToolkit({ name: "endless", create: () => [endless()] });
    await expect(evaluateComposable(endless(), { env: {} })).rejects.toMatchObject({ code: "too-deep" });
  });

  test.each([
    ["throws", fail, "directory is down"],
    ["returns no array", () => namedTool("t") as never, "expected create to return an array"],
    ["returns what is no composable", () => [{}] as never, "member 0"],
  ])("create that %s is a typed error", async (_name, create, message) => {
    const broken = evaluateComposable(dynamicToolkit({ name: "broken", create }), { env: {} });
    await expect(broken).rejects.toMatchObject({ code: "create-failed", message: expect.stringContaining(message) });
  });
});

describe("a policy that cannot answer", () => {
  const events: PolicyEvaluatedEvent[] = [];
  const hooks = { onPolicyEvaluated: (event: PolicyEvaluatedEvent): void => void events.push(event) };
  const root = toolkit([namedTool("a"), namedTool("b", [policy("directory", fail)])], { name: "k", hooks });

  test("fails the evaluation with its id, and disables no tool", async () => {
    events.length = 0;
    await expect(evaluateComposable(root, { env: 1 })).rejects.toMatchObject({
      code: "policy-failed",
      policyId: "directory",
      message: 'policy "directory" of toolkit "k" failed: directory is down',
      cause: expect.any(Error),
    });
    expect(events).toMatchObject([{ policyId: "directory", ok: false, phase: "toolkit", name: "k", env: 1 }]);
    expect(events[0]?.error).toBeInstanceOf(CapabilityError);
  });

  test('with policyErrors "deny" it disables what it guards, and is listed', async () => {
    const { tools, policyFailures } = await evaluateComposable(root, { env: {} }, { policyErrors: "deny" });
    expect(Object.keys(tools)).toEqual(["a"]);
    expect(policyFailures).toMatchObject([{ code: "policy-failed", policyId: "directory" }]);
  });

  const gone = AbortSignal.abort(new Error("took too long"));
  const denies = { onPolicyEvaluated: fail };
  const inner: [string, () => Promise<unknown>][] = [
    ["is aborted", () => evaluateComposable(namedTool("t"), { env: {}, signal: gone })],
    ["has a hook that fails", () => evaluateComposable(namedTool("t", [isIn]), { env: {}, hooks: denies })],
  ];
  test.each(inner)("an evaluation inside a policy that %s is an error of that policy", async (_name, evaluate) => {
    const nested = policy("nested", async () => (await evaluate()) !== undefined);
    const kit = toolkit([namedTool("a"), namedTool("b", [nested])], { name: "k" });
    const failure = { code: "policy-failed", policyId: "nested", cause: expect.any(CapabilityError) };
    await expect(evaluateComposable(kit, { env: {} })).rejects.toMatchObject(failure);
    const { tools, policyFailures } = await evaluateComposable(kit, { env: {} }, { policyErrors: "deny" });
    expect(Object.keys(tools)).toEqual(["a"]);
    expect(policyFailures).toMatchObject([failure]);
    const created = dynamicToolkit({ name: "d", create: () => evaluate().then(() => []) });
    await expect(evaluateComposable(created, { env: {} })).rejects.toMatchObject({
      code: "create-failed",
      cause: expect.any(CapabilityError),
    });
  });

  test.each(["throw", "deny"] as const)(
    "a signal that fires as a policy throws ends the evaluation, %s",
    async (policyErrors) => {
      for (const thrown of ["at once", "later"]) {
        const controller = new AbortController();
        const leaving = policy("leaving", () => {
          controller.abort(new Error("tenant left"));
          return thrown === "at once" ? fail() : Promise.reject(new Error("directory is down"));
        });
        const pending = evaluateComposable(
          namedTool("t", [leaving]),
          { env: {}, signal: controller.signal },
          { policyErrors },
        );
        await expect(pending).rejects.toMatchObject({ code: "aborted", cause: new Error("tenant left") });
      }
    },
  );

  test("a misspelt policyErrors is refused", async () => {
    const pending = evaluateComposable(root, { env: {} }, { policyErrors: "allow" as never });
    await expect(pending).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test("an answer that is not a boolean is an error", async () => {
    const vague = policy("vague", () => "yes" as never);
    await expect(evaluateComposable(namedTool("t", [vague]), { env: {} })).rejects.toThrow("expected true or false");
  });

  test("a thrown value need not be an Error", async () => {
    const odd = policy("odd", () => {
      throw "nope";
    });
    await expect(evaluateComposable(namedTool("t", [odd]), { env: {} })).rejects.toThrow("nope");
  });
});

describe("limits", () => {
  test("two enabled tools with one name are an error, unless one of them is disabled", async () => {
    const kit = (enabled: boolean): Composable =>
      toolkit([namedTool("t"), toolkit([namedTool("t", [policy("p", () => enabled)])], { name: "in" })], {
        name: "out",
      });
    await expect(evaluateComposable(kit(true), { env: {} })).rejects.toMatchObject({
      code: "duplicate-tool",
      toolName: "t",
    });
    expect(Object.keys((await evaluateComposable(kit(false), { env: {} })).tools)).toEqual(["t"]);
  });

  test("a value that is not a composable is refused", async () => {
    await expect(evaluateComposable({} as never, { env: {} })).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test("a signal ends an evaluation, even of a policy that never answers", async () => {
    const controller = new AbortController();
    const never = policy("never", () => new Promise<boolean>(() => controller.abort(new Error("tenant left"))));
    const pending = evaluateComposable(namedTool("t", [never]), { env: {}, signal: controller.signal });
    await expect(pending).rejects.toMatchObject({ code: "aborted", cause: new Error("tenant left") });
    await expect(evaluateComposable(namedTool("t"), { env: {}, signal: controller.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  test("a signal ends a create that never answers", async () => {
    const controller = new AbortController();
    const never = dynamicToolkit({ name: "d", create: () => new Promise<never>(() => controller.abort()) });
    await expect(evaluateComposable(never, { env: {}, signal: controller.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  test("a hook that throws causes a separate error", async () => {
    const hooks = { onPolicyEvaluated: fail };
    const pending = evaluateComposable(namedTool("t", [policy("p", () => true)]), { env: {}, hooks });
    await expect(pending).rejects.toMatchObject({
      code: "hook-failed",
      message: expect.stringContaining("directory is down"),
    });
  });

  test("a hook is awaited", async () => {
    const hooks = { onPolicyEvaluated: () => Promise.reject(new Error("log is full")) };
    const pending = evaluateComposable(namedTool("t", [policy("p", () => true)]), { env: {}, hooks });
    await expect(pending).rejects.toMatchObject({
      code: "hook-failed",
      message: expect.stringContaining("log is full"),
    });
  });

  test("one toolkit in two places is not a cycle", async () => {
    const shared = dynamicToolkit({ name: "shared", create: () => [] });
    const twice = toolkit([shared, toolkit([shared], { name: "in" })], { name: "out" });
    expect(Object.keys((await evaluateComposable(twice, { env: {} })).tools)).toEqual([]);
  });

  test("opaque schemas are named, or refused", async () => {
    const opaque = { "~standard": { vendor: "closed", version: 1, validate: (value: unknown) => ({ value }) } };
    const kit = toolkit([namedTool("open"), tool({ name: "shut", inputSchema: opaque, handler: () => 1 })], {
      name: "k",
    });
    expect((await evaluateComposable(kit, { env: {} })).opaqueSchemas).toEqual(["shut"]);
    const strict = evaluateComposable(kit, { env: {} }, { requireTransparentSchemas: true });
    await expect(strict).rejects.toMatchObject({ code: "opaque-schema" });
    expect(() => kit.computeStaticHash({ requireTransparentSchemas: true })).toThrow("closed schema");
  });

  test("a toolkit of 100,000 tools is evaluated and hashed", async () => {
    const many = toolkit(
      Array.from({ length: 100_000 }, (_, index) =>
        tool({ name: `t${index}`, inputSchema: anything, handler: () => 1 }),
      ),
      { name: "many" },
    );
    const { toolRefs } = computeRuntimeCapabilitiesFromEvaluation(await evaluateComposable(many, { env: {} }));
    expect(toolRefs).toHaveLength(100_000);
    expect(toolRefs[1]?.toolKey).toBe("t1");
    expect(toolRefs[2]?.toolKey).toBe("t10");
  });
});
