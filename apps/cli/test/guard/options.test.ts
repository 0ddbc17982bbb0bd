import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createContext } from "../../src/run/context.ts";
import { run } from "../../src/run-program.ts";
import { STATE } from "../support/run-cli.ts";
import { terminal } from "../support/terminal.ts";
import { pinned, RECORD, seen } from "./fault-world.ts";
import { callOf, GuardedHere, INITIALIZE } from "./guarded.ts";

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

test("the terminal of the guard asks about calls of clients that cannot ask their user", async () => {
  const space = await pinned();
  const policy = { servers: { faults: { calls: { echo: { ask: true } } } } };
  writeFileSync(space.path("agentprint.config.json"), JSON.stringify(policy));
  const [stdin, stdout, stderr] = [terminal(), terminal(), terminal(500)];
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  let said = "";
  const isSaid = (text: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const [found] = text.exec(said) ?? [];
        if (found !== undefined) resolve(found);
        else stderr.once("data", () => setImmediate(look));
      };
      look();
    });
  stderr.on("data", (text: string) => (said += text));
  const args = ["guard", "--http", "127.0.0.1:0", "faults"];
  const env = { ...process.env, ...STATE, NO_COLOR: "1" };
  const ended = run(createContext({ args, stdin, stdout, stderr, cwd: space.folder, env, signal: ending.signal }));
  const url = await isSaid(/http:\/\/127\S+/);
  const post = (body: object, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const session = { "mcp-session-id": (await post(INITIALIZE)).headers.get("mcp-session-id") ?? "" };
  // The two questions are asked one after the other.
  const answers = [1, 2].map(async (id) => (await post(callOf(id, "echo", { text: `${id}` }), session)).json());
  for (const typed of ["y", "n"]) {
    await isSaid(/Call "echo" of the server "faults"\?.*\[y\/N\] $/);
    said = "";
    stdin.write(`${typed}\n`);
  }
  const [first, second] = await Promise.all(answers);
  expect(first).toMatchObject({ result: { content: [{ text: "1" }] } });
  expect(second).toMatchObject({ result: { isError: true } });
  expect(seen(space)).toEqual(["echo 1"]);
  ending.abort();
  expect(await ended).toBe(0);
});

test("signed checkpoints of the whole record are sent elsewhere", async () => {
  const space = await pinned();
  const key = await space.run(["trail", "keygen", "guard.example/log", "log.key"]);
  expect(key, key.stderr).toMatchObject({ code: 0 });
  const checkpoints = ["--checkpoint-to", "elsewhere", "--origin", "guard.example/log", "--key-file", "log.key"];
  await using guarded = new GuardedHere(space, "faults", ...RECORD, ...checkpoints);
  guarded.send(INITIALIZE, callOf(1, "echo", { text: "x" }));
  await guarded.line();
  await guarded.line();
  await guarded.end();
  expect(guarded.stderr).toBe("");
  const [name = ""] = readdirSync(space.path("elsewhere"));
  const note = readFileSync(space.path(`elsewhere/${name}`), "utf8");
  const records = readdirSync(space.path("trail")).find((file) => file.endsWith(".jsonl")) ?? "";
  const lines = readFileSync(space.path(`trail/${records}`), "utf8")
    .trim()
    .split("\n");
  const [origin, size] = note.split("\n");
  expect(origin).toBe(`guard.example/log/${name.replace(/\.checkpoint$/, "")}`);
  expect(Number(size)).toBe(lines.length);
});
