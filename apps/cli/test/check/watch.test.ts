import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { Writable } from "node:stream";
import { everywhere, page, TOOL } from "@agentprint/testing/lock/visit-answers";
import { bodyOf, type Listening, listening } from "@agentprint/testing/oauth/listen";
import { Command } from "commander";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshFor, pauseOf } from "../../src/check/pause.ts";
import { define, run } from "../../src/commands/watch.ts";
import { hostile } from "../support/hostile.ts";
import { memoryContext, type RunResult } from "../support/run-cli.ts";
import { SHORT_VISITS } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

let space: Workspace;
let receiver: Listening;
let received: string[];
let status: number;
beforeEach(async () => {
  space = new Workspace();
  received = [];
  status = 204;
  receiver = await listening();
  receiver.handle = async (request, response) => {
    received.push(await bodyOf(request));
    response.writeHead(status).end();
  };
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  space[Symbol.dispose]();
});

const cloaked = ["--", ...hostile("shows-each-name-another-list")];
const pin = () => space.run(["pin", "--name", "it", "--env", "CLOAK", ...cloaked], { CLOAK: "" }, { views: "client" });
const watch = (cloak: string, ...args: string[]): Promise<RunResult> =>
  space.run(["watch", "--rounds", "1", "--webhook-env", "HOOK", ...args], {
    CLOAK: cloak,
    HOOK: `${receiver.origin}/s3cret`,
  });

test("new findings go to the webhook as JSON, and without new findings nothing is sent", async () => {
  await pin();
  expect(await watch("")).toMatchObject({ code: 0 });
  expect(received).toEqual([]);
  const { code, stdout, stderr } = await watch(", obey");
  expect([code, stdout]).toEqual([1, expect.stringContaining("obey")]);
  expect(received.map((text) => JSON.parse(text))).toMatchObject([{ outcome: "drift", command: "agentprint check" }]);
  expect(stdout + stderr + received.join()).not.toContain("s3cret");
});

test("unchanged findings are sent once", async () => {
  await pin();
  const command = new Command();
  define(command);
  command.parse(["--rounds", "3", "--webhook-env", "HOOK"], { from: "user" });
  const env = { CLOAK: ", obey", HOOK: receiver.origin };
  const context = memoryContext([], { cwd: space.folder, env, visits: SHORT_VISITS });
  expect(await run(context, [], { ...command.opts<object>(), every: 1 } as never, command)).toBe(1);
  expect(received).toHaveLength(1);
});

test.skipIf(Number.parseInt(process.versions.node, 10) < 22)("new findings go into a trail", async () => {
  await pin();
  const trail = "file:trail.db";
  expect(await watch(", obey", "--trail", trail)).toMatchObject({ code: 1 });
  const { stdout } = await space.run(["trail", "export", trail, "--task", "agentprint watch"]);
  expect(stdout).toContain("obey");
});

test("a webhook that refuses the findings is exit code 2", async () => {
  await pin();
  status = 500;
  const { code, stderr } = await watch(", obey");
  expect([code, stderr]).toEqual([2, expect.stringContaining("did not accept the findings: HTTP 500")]);
  await receiver[Symbol.asyncDispose]();
  expect(await watch(", obey")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("did not accept the findings"),
  });
});

/**
 * Watches for some rounds with a policy that reads a statement from a URL; returns the requests, and each round's
 * finding.
 */
async function watchStatement(
  rounds: number,
  answer: (round: number) => readonly [number, Record<string, string>, string?],
) {
  await pin();
  const asked: (string | undefined)[] = [];
  receiver.handle = (request, response) => {
    if (request.url !== "/it.json") return response.writeHead(404).end();
    asked.push(request.headers["if-none-match"]);
    const [code, headers, body] = answer(asked.length);
    response.writeHead(code, headers).end(body);
  };
  const author = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const rule = {
    keys: [author],
    from: `${receiver.origin}/it.json`,
    required: true,
  };
  writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ statements: { it: rule } }));
  await space.run(["approve", "--policy", "--yes"]);
  const command = new Command();
  define(command);
  command.parse(["--rounds", String(rounds), "--format", "json"], { from: "user" });
  const written: string[] = [];
  const stdout = new Writable({ write: (chunk, _encoding, done) => done(void written.push(String(chunk))) });
  const context = memoryContext([], { cwd: space.folder, env: { CLOAK: "" } }, stdout);
  const code = await run(context, [], { ...command.opts<object>(), every: 1 } as never, command);
  const reports: { findings: { message: string }[] }[] = written
    .join("")
    .split("\n")
    .flatMap((text) => (text === "" ? [] : [JSON.parse(text)]));
  return {
    asked,
    code,
    findings: reports.map(({ findings }) => findings.map(({ message }) => message)),
  };
}

test("a statement at an address is requested by its ETag, and an unchanged one is read as before", async () => {
  const changed = JSON.stringify({ payload: "x" });
  const { asked, findings } = await watchStatement(4, (round) => {
    if (round === 4) return [200, { etag: '"two"' }, changed];
    return round === 1 ? [200, { etag: '"one"' }, "{}"] : [304, { etag: '"one"' }];
  });
  expect(asked).toEqual([undefined, '"one"', '"one"', '"one"']);
  const [first, second, third, last] = findings;
  expect(first).toHaveLength(1);
  expect([second, third]).toEqual([first, first]);
  expect(last).toHaveLength(1);
});

test("an address that asks for a pause is not requested again, and its statement is no longer proven", async () => {
  const { asked, code, findings } = await watchStatement(3, (round) =>
    round === 1 ? [200, { etag: '"one"' }, "{}"] : [429, { "retry-after": "3600" }],
  );
  expect(asked).toEqual([undefined, '"one"']);
  expect(code).not.toBe(0);
  expect(findings[1]?.join()).toContain("HTTP 429");
  expect(findings[2]?.join()).toContain("requests a pause until");
});

test.each(["", "none", "file:///etc/passwd"])("%j is refused as the address of a webhook", async (address) => {
  writeFileSync(space.path("agentprint.lock"), "{}");
  const { code, stderr } = await space.run(["watch", "--webhook-env", "HOOK"], { HOOK: address });
  expect([code, stderr]).toEqual([2, expect.stringContaining("does not hold the address of a webhook")]);
});

test.each(["1s", "0m", "11d", "1", "h"])("%s is refused as a pause", async (every) => {
  const { code, stderr } = await space.run(["watch", "--every", every]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("from 1m to 10d")]);
});

test("a pause is the interval, longer where lists stay fresh, and at most twice as long", () => {
  expect([0, 0.5, 1].map((chance) => pauseOf(1000, undefined, chance))).toEqual([900, 1000, 1100]);
  expect([1, 1500, 1e12].map((fresh) => pauseOf(1000, fresh, 0.5))).toEqual([1000, 1500, 2000]);
});

test("lists stay fresh for the shortest of the times that they state", () => {
  const visit = (...times: unknown[]) =>
    everywhere({ lists: { tools: [times.map((ttlMs) => page("tools", [TOOL], { ttlMs } as never))] } });
  expect(freshFor([visit(5000, 3000), visit(9000)])).toBe(3000);
  for (const other of [undefined, "1", -1]) expect(freshFor([visit(5000), visit(other)])).toBeUndefined();
  expect(freshFor([])).toBeUndefined();
});
