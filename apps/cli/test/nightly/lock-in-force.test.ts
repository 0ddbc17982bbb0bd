import { once } from "node:events";
import { existsSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { startProgram } from "@agentprint/testing/programs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Guarded, INITIALIZE, isRunning } from "../guard/guarded.ts";
import { type Decided, type Edit, ModelWorkspace, NAMES, TOOLS } from "../guard/model-servers.ts";
import { postCall } from "../guard/support.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";

const LIMIT = { timeout: 60_000, interval: 50 };
const LOCK = "agentprint.lock";
const POLICY = "agentprint.config.json";
/** The long test runs with many servers and many edits. */
const [RUNS, EDITS] = [Number(process.env["LOCK_MODEL_RUNS"] ?? 1), Number(process.env["LOCK_MODEL_EDITS"] ?? 4)];

/** Starts an HTTP guard for all servers; returns it with its output. */
async function guardOf(space: ModelWorkspace, ...more: string[]) {
  const [command, ...args] = AGENTPRINT;
  const child = await startProgram(command, [...args, "guard", "--http", "127.0.0.1:0", ...NAMES, ...more], {
    cwd: space.folder,
    env: { ...process.env, ...STATE },
  });
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  await expect.poll(() => said.join(""), LIMIT).toMatch(/http:\/\/127\S+/);
  const [origin] = /http:\/\/127[^/]+/.exec(said.join("")) ?? [];
  return {
    stderr: () => said.join(""),
    url: (name: string) => new URL(`${origin}/${name}`),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Calls each tool of each server, and returns the outcomes. */
async function outcomes(url: (name: string) => URL): Promise<Record<string, string>> {
  const calls = NAMES.flatMap((server) => TOOLS.map((tool) => [server, tool] as const));
  const ended = await Promise.all(
    calls.map(async ([server, tool]) => {
      const text = await (await postCall(url(server), tool, {})).text();
      return [
        `${server} ${tool}`,
        /called \d+/.test(text) ? "called" : /Refused by the guard/.test(text) ? "refused" : text,
      ];
    }),
  );
  return Object.fromEntries(ended);
}

const pidsOf = (space: ModelWorkspace, name: string): number[] => {
  const file = space.path(`${name}.pids`);
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
};

const HARMS: readonly Edit["does"][] = ["break", "truncate", "delete", "folder", "loop"];
const harm = fc.constantFrom<Edit[]>(...(HARMS.map((does) => ({ does })) as Edit[]));
const variant = fc.constantFrom(0, 0, 1, undefined, undefined) as fc.Arbitrary<0 | 1 | undefined>;
const variants = fc.record({ a: variant, b: variant });
const policy = fc.constantFrom<object[]>(
  {},
  { preset: "compatible" },
  { preset: "breaking" },
  { servers: { a: { calls: { one: { deny: true } } } } },
  { servers: { b: { preset: "breaking" } } },
);
const edit = fc.oneof(
  { weight: 4, arbitrary: variants.map((each) => ({ file: LOCK, variants: each }) as const) },
  { weight: 2, arbitrary: harm.map((each) => ({ file: LOCK, edit: each }) as const) },
  { weight: 2, arbitrary: policy.map((each) => ({ file: POLICY, edit: written(each) }) as const) },
  { weight: 1, arbitrary: harm.map((each) => ({ file: POLICY, edit: each }) as const) },
);

function written(value: object): Edit {
  return { does: "write", text: JSON.stringify(value) };
}

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const postTo = (url: URL, message: object, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method: "POST", headers: { ...HEADERS, ...more }, body: JSON.stringify(message) });

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "one", arguments: {} } };

/** Applies these edits to the files, one after the other, and verifies that the guard follows. */
async function follow(edits: readonly (typeof edit extends fc.Arbitrary<infer E> ? E : never)[]): Promise<void> {
  using space = new ModelWorkspace();
  await space.pinAll();
  await using guard = await guardOf(space);
  const begun = await postTo(guard.url("c"), INITIALIZE);
  await begun.text();
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  let expected = (await space.decide()) as Decided;
  await expect.poll(() => outcomes(guard.url), LIMIT).toEqual(expected.calls);
  const untouched = pidsOf(space, "c");
  for (const { file, ...does } of edits) {
    const context = JSON.stringify([file, does]);
    const done: Edit = "edit" in does ? does.edit : { does: "write", text: space.lockWith({ ...does.variants, c: 0 }) };
    space.edit(file, done);
    expected = (await space.decide()) ?? expected;
    await expect.poll(() => outcomes(guard.url), { ...LIMIT, message: context }).toEqual(expected.calls);
    const running = () => expected.absent.flatMap((name) => pidsOf(space, name).filter(isRunning));
    await expect.poll(running, { ...LIMIT, message: context }).toEqual([]);
    // A server whose entry did not change keeps its processes and sessions.
    const own = await postTo(guard.url("c"), CALL, session);
    expect(await own.text(), context).toContain(`called ${untouched[0]}`);
    expect(pidsOf(space, "c")).toEqual(untouched);
  }
}

describe("the lock in force", () => {
  test("decides about each new request as a fresh guard on these files would, whatever is done to them", async () => {
    const property = fc.asyncProperty(fc.array(edit, { minLength: EDITS, maxLength: EDITS }), follow);
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  }, 3_600_000);

  test("ends the processes of a server that it no longer has, reports it, and serves it again when it has it", async () => {
    using space = new ModelWorkspace();
    await space.pinAll();
    await using guard = await guardOf(space);
    const begun = await postTo(guard.url("a"), INITIALIZE);
    await begun.text();
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    expect(await (await postTo(guard.url("a"), CALL, session)).text()).toContain("called");
    expect(pidsOf(space, "a")).toHaveLength(1);
    space.edit(LOCK, { does: "write", text: space.lockWith({ b: 0, c: 0 }) });
    await expect.poll(() => pidsOf(space, "a").filter(isRunning), LIMIT).toEqual([]);
    await expect.poll(() => guard.stderr().match(/a is not in the lock any more/g), LIMIT).toHaveLength(1);
    const refused = await (await postTo(guard.url("a"), CALL, session)).json();
    expect(refused).toMatchObject({ id: 1, result: { isError: true } });
    const greeted = await (await postTo(guard.url("a"), INITIALIZE)).json();
    expect(greeted).toMatchObject({ id: 0, error: { code: -31403 } });
    expect((await fetch(guard.url("a"), { headers: session })).status).toBe(404);
    expect(pidsOf(space, "a")).toHaveLength(1);
    space.edit(LOCK, { does: "write", text: space.lockWith({ a: 0, b: 0, c: 0 }) });
    await expect.poll(() => outcomes(guard.url).then((all) => all["a one"]), LIMIT).toBe("called");
    expect((await postTo(guard.url("a"), CALL, session)).status).toBe(404);
  }, 120_000);

  test("ends a guard between two pipes with one sentence once the server has no entry", async () => {
    using space = new ModelWorkspace();
    await space.pinAll();
    await using guarded = await Guarded.start(space, "a");
    guarded.send(INITIALIZE);
    await guarded.line();
    space.edit(LOCK, { does: "write", text: space.lockWith({ b: 0, c: 0 }) });
    expect(await guarded.end()).toEqual([2, null]);
    await expect.poll(() => guarded.stderr.match(/a is not in the lock any more: it ends/g), LIMIT).toHaveLength(1);
    expect(pidsOf(space, "a").filter(isRunning)).toEqual([]);
  }, 120_000);
});

test("a replaced lock is an event only where the bytes of a file changed", async () => {
  using space = new ModelWorkspace();
  await space.pinAll();
  const record = ["--record", "trail", "--record-key", "recorder.key"];
  const lock = space.lockText();
  const looked = async (guard: { stderr(): string }, does: () => void): Promise<void> => {
    does();
    // The guard reports the broken policy once it has read the files, so it has also read each earlier change of the
    // lock.
    const before = guard.stderr().match(/keeps using the lock/g)?.length ?? 0;
    space.edit(POLICY, { does: "break" });
    await expect.poll(() => guard.stderr().match(/keeps using the lock/g)?.length, LIMIT).toBe(before + 1);
    space.edit(POLICY, { does: "delete" });
  };
  {
    await using guard = await guardOf(space, ...record);
    expect(Object.values(await outcomes(guard.url))).not.toContain("refused");
    await looked(guard, () => utimesSync(space.path(LOCK), new Date(), new Date()));
    await looked(guard, () => writeFileSync(space.path(LOCK), lock));
    await looked(guard, () => {
      writeFileSync(space.path("next"), lock);
      renameSync(space.path("next"), space.path(LOCK));
    });
    expect(Object.values(await outcomes(guard.url))).not.toContain("refused");
    space.edit(LOCK, { does: "write", text: space.lockWith({ a: 1, b: 0, c: 0 }) });
    await expect.poll(() => outcomes(guard.url).then((all) => all["a two"]), LIMIT).toBe("refused");
  }
  const log = await space.run(["guard", "log", ...record, "--format", "json"]);
  const events = log.stdout
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).event ?? []);
  expect(events.filter(({ kind }) => kind === "call").length).toBeGreaterThan(10);
  // One event for each server.
  expect(events.filter(({ kind }) => kind === "replaced")).toHaveLength(3);
}, 120_000);
