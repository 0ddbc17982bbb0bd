import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { outputOf } from "@agentprint/testing/programs";
import { describe, expect, onTestFinished, test } from "vitest";
import { pidOf, pinned, RECORD, recordedCalls, recordedEvents, seen, until } from "../guard/fault-world.ts";
import { callOf, Guarded, INITIALIZE, isRunning } from "../guard/guarded.ts";
import type { Workspace } from "../support/workspace.ts";

/** Asserts that the next guard records that the previous one was not ended properly. */
async function expectNotEnded(space: Workspace): Promise<void> {
  await using next = await Guarded.start(space, "faults", ...RECORD);
  next.send(INITIALIZE);
  await next.line();
  next.child.stdin?.end();
  await next.end();
  expect((await space.run(["guard", "log", ...RECORD])).stdout).toContain("not ended");
}

describe("processes that end", () => {
  test("a guard killed in a call has recorded every call to the server, and the next one reports its end", async () => {
    const space = await pinned();
    await using guarded = await Guarded.start(space, "faults", ...RECORD, "--record-mode", "before");
    guarded.send(INITIALIZE);
    await guarded.line();
    for (let id = 1; id <= 20; id++) guarded.send(callOf(id, "echo", { text: "x" }));
    guarded.send(callOf(21, "hang"));
    await until(() => seen(space).length === 21);
    const server = pidOf(space);
    guarded.child.kill("SIGKILL");
    await guarded.end();
    await until(() => !isRunning(server));
    expect(await recordedCalls(space)).toBe(21);
    await expectNotEnded(space);
  });

  test("a guard killed after its calls has lost at most the last of them, and nothing written before", async () => {
    const space = await pinned();
    await using guarded = await Guarded.start(space, "faults", ...RECORD, "--record-mode", "behind");
    guarded.send(INITIALIZE);
    await guarded.line();
    for (let id = 1; id <= 40; id++) guarded.send(callOf(id, "echo", { text: "a secret" }));
    await expect.poll(() => guarded.unread.length).toBe(40);
    await until(() => resultsIn(space) === 40);
    for (let id = 41; id <= 80; id++) guarded.send(callOf(id, "echo", { text: "a secret" }));
    await expect.poll(() => guarded.unread.length).toBe(80);
    guarded.child.kill("SIGKILL");
    await guarded.end();
    expect(chainOf(space)).not.toContain("a secret");
    const events = await recordedEvents(space);
    const numbers = events.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(events.filter(({ kind }) => kind === "result").length).toBeGreaterThanOrEqual(40);
    await expectNotEnded(space);
  });

  test("a guard ends the way its server ended when the server dies in a call", async () => {
    const space = await pinned();
    await using guarded = await Guarded.start(space, "faults");
    guarded.send(INITIALIZE, callOf(1, "die"));
    expect(await guarded.end()).toEqual([9, null]);
  });

  test("a client that disconnects in a call leaves no process", async () => {
    const space = await pinned();
    await using guarded = await Guarded.start(space, "faults");
    guarded.send(INITIALIZE, callOf(1, "hang"));
    await until(() => seen(space).length === 1);
    guarded.child.stdin?.destroy();
    guarded.child.stdout?.destroy();
    await guarded.end();
    expect(isRunning(pidOf(space))).toBe(false);
  });

  test("a guard that is asked to end does not wait for a client that reads nothing", async () => {
    const space = await pinned();
    await using guarded = await Guarded.start(space, "faults");
    guarded.child.stdout?.pause();
    guarded.send(INITIALIZE, callOf(1, "flood", {}, { progressToken: "t" }));
    await until(() => seen(space).length === 1);
    guarded.child.kill("SIGTERM");
    expect(await guarded.end()).toEqual([null, "SIGTERM"]);
    expect(isRunning(pidOf(space))).toBe(false);
  });
});

describe("a store that does not write", () => {
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;

  test.runIf(isRoot)(
    "because its disk is full: calls continue in mode behind, and are refused in mode before",
    async () => {
      const space = await pinned();
      mkdirSync(space.path("trail"));
      outputOf("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", space.path("trail")]);
      onTestFinished(() => void outputOf("umount", [space.path("trail")]));
      const fill = (): void => {
        try {
          writeFileSync(space.path("trail/filler"), Buffer.alloc(524_288));
        } catch {
          // The part of it that fitted on the disk was written.
        }
      };
      for (const mode of ["behind", "before"] as const) {
        await using guarded = await Guarded.start(space, "faults", ...RECORD, "--record-mode", mode);
        guarded.send(INITIALIZE);
        await guarded.line();
        guarded.send(callOf(1, "echo", { text: "before" }));
        await guarded.line();
        fill();
        const reached = seen(space).length;
        // The file's last page still has room for some of them.
        for (let id = 2; id < 22; id++) guarded.send(callOf(id, "echo", { text: mode }));
        const answers = [];
        for (let id = 2; id < 22; id++) answers.push(JSON.parse(await guarded.line()));
        const refused = answers.filter(({ error }) => error?.code === 4001).length;
        expect(refused > 0).toBe(mode === "before");
        expect(seen(space).length - reached).toBe(answers.length - refused);
        await guarded.says("ENOSPC");
        writeFileSync(space.path("trail/filler"), "");
        for (let id = 100, isBack = false; !isBack; id++) {
          guarded.send(callOf(id, "echo", { text: "after" }));
          isBack = JSON.parse(await guarded.line()).error === undefined;
        }
        guarded.child.stdin?.end();
        await guarded.end();
      }
      const { stdout } = await space.run(["guard", "log", ...RECORD]);
      expect(stdout).toMatch(/refused +faults › echo refused/);
      expect(stdout).not.toContain("missing");
    },
  );

  test("because it does not answer: the guard does not start", async () => {
    const space = await pinned();
    const store = createTcpServer(() => undefined).listen(0, "127.0.0.1");
    await once(store, "listening");
    onTestFinished(() => void store.close());
    const { port } = store.address() as AddressInfo;
    const url = `postgres://user@127.0.0.1:${port}/trail`;
    await using guarded = await Guarded.start(space, "faults", "--record", url, "--record-key", "recorder.key");
    expect(await guarded.end()).toEqual([2, null]);
    expect(guarded.stderr).toContain("nothing can be recorded");
  });
});

describe("many at once", () => {
  test("10,000 tools", async () => {
    const space = await pinned(9_996);
    await using guarded = await Guarded.start(space, "faults");
    guarded.send(INITIALIZE);
    await guarded.line();
    guarded.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(JSON.parse(await guarded.line()).result.tools).toHaveLength(10_000);
    guarded.send(callOf(2, "tool_9995", { text: "last" }));
    expect(JSON.parse(await guarded.line())).toMatchObject({ id: 2, result: { content: [{ text: "last" }] } });
  });

  test("1,000 calls over one pipe, of which the first ones wait for a listing", async () => {
    const space = await pinned();
    await using guarded = await Guarded.start(space, "faults", ...RECORD);
    guarded.send(
      INITIALIZE,
      ...Array.from({ length: 1000 }, (_, index) => callOf(index + 1, "echo", { text: `${index + 1}` })),
    );
    await guarded.line();
    for (let count = 0; count < 1000; count++) {
      const { id, result } = JSON.parse(await guarded.line());
      expect(result.content[0].text).toBe(String(id));
    }
    guarded.child.stdin?.end();
    await guarded.end();
    expect(await recordedCalls(space)).toBe(1000);
  });
});

test("control characters in a name reach no terminal", async () => {
  const space = await pinned();
  const name = "\u001b]0;title\u0007\u202eevil\r\n";
  await using guarded = await Guarded.start(space, "faults", ...RECORD);
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send(callOf(1, name));
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 1, error: { code: -32602 } });
  guarded.child.stdin?.end();
  await guarded.end();
  const { stdout } = await space.run(["guard", "log", ...RECORD]);
  expect(stdout).toContain("evil");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for these
  expect(stdout + guarded.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

/** Returns the file of the one session that was recorded. */
function chainOf(space: Workspace): string {
  const [name = ""] = readdirSync(space.path("trail")).filter((each) => each.endsWith(".jsonl"));
  return readFileSync(space.path(`trail/${name}`), "utf8");
}

/** Counts the results in that file's complete lines. */
function resultsIn(space: Workspace): number {
  return chainOf(space)
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.includes('\\"kind\\":\\"result\\"')).length;
}
