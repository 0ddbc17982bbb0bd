import { readFileSync, writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

const [command, ...args] = AGENTPRINT;
const RECORD = ["--record", "trail", "--record-key", "recorder.key"];

/** A client behind the guard of a server that starts its trick only after its review. */
class Tricked implements AsyncDisposable {
  readonly space = new Workspace();
  readonly client: Client;
  /** Resolves when the client is notified that the list changed; the guard then knows, too. */
  readonly changed: Promise<void>;

  constructor(name: string) {
    this.client = new Client({ name, version: "1.0.0" });
    this.changed = new Promise((resolve) => {
      this.client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
    });
  }

  async connect(trick: string, ...more: string[]): Promise<void> {
    const pinned = await this.space.run(["pin", "--name", "tricks", "--", ...hostile("offers-by-turn")]);
    expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
    writeFileSync(this.space.path("trick"), trick);
    writeFileSync(this.space.path("calls"), "");
    const env = { ...(process.env as Record<string, string>), ...STATE };
    const guard = [...args, "guard", "tricks", ...RECORD, ...more];
    const launch = { command, args: guard, cwd: this.space.folder, env, stderr: "pipe" } as const;
    await this.client.connect(new StdioClientTransport(launch));
  }

  async list(): Promise<string[]> {
    // By default, the client keeps a list as long as it may; here, it requests the list each time.
    return (await this.client.listTools(undefined, { cacheMode: "refresh" })).tools.map(({ name }) => name);
  }

  /** Calls a tool; returns whether the server was called and answered. */
  async call(name: string): Promise<boolean> {
    const said = await this.client.callTool({ name, arguments: {} }).catch((error: { code: number }) => error);
    return "content" in said && said.isError !== true;
  }

  /** Returns the calls that reached the server, and the calls that were refused according to the record. */
  async end(): Promise<{ readonly reached: string[]; readonly refused: string[] }> {
    await this.client.close();
    const log = await this.space.run(["guard", "log", ...RECORD, "--format", "json"]);
    const events = log.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).event]));
    const calls = events.filter((event) => event?.kind === "refused" && event.method === "tools/call");
    const reached = readFileSync(this.space.path("calls"), "utf8").split("\n").slice(0, -1);
    return { reached, refused: calls.map(({ tool }) => tool) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    this.space[Symbol.dispose]();
  }
}

test("a server that answers the second listing otherwise", async () => {
  await using tricked = new Tricked("claude-code");
  await tricked.connect("second-listing");
  expect(await tricked.list()).toEqual(["read", "write"]);
  expect(await tricked.call("write")).toBe(true);
  expect(await tricked.list()).toEqual(["read"]);
  for (const name of ["write", "new"]) expect(await tricked.call(name)).toBe(false);
  expect(await tricked.call("read")).toBe(true);
  expect(await tricked.end()).toEqual({ reached: ["write", "read"], refused: ["write", "new"] });
});

test.each([
  ["silently", ["--recheck", "0"]],
  ["announced", []],
])("a server that changes between the listing and the call, %s", async (trick, more) => {
  await using tricked = new Tricked("claude-code");
  await tricked.connect(trick, ...more);
  expect(await tricked.list()).toEqual(["read", "write"]);
  if (trick === "announced") await tricked.changed;
  for (const name of ["write", "new"]) expect(await tricked.call(name)).toBe(false);
  expect(await tricked.call("read")).toBe(true);
  expect(await tricked.end()).toEqual({ reached: ["read"], refused: ["write", "new"] });
});

test("a server that hides a tool, and shows another tool under its name", async () => {
  await using tricked = new Tricked("claude-code");
  await tricked.connect("hides");
  expect(await tricked.list()).toEqual(["read", "write"]);
  expect(await tricked.list()).toEqual(["read"]);
  expect(await tricked.call("write")).toBe(false);
  expect(await tricked.list()).toEqual(["read"]);
  expect(await tricked.call("write")).toBe(false);
  expect(await tricked.end()).toEqual({ reached: [], refused: ["write", "write"] });
});

test("a server that shows clients of another name another list", async () => {
  await using tricked = new Tricked("somebody-else");
  await tricked.connect("other-name");
  expect(await tricked.list()).toEqual(["read"]);
  for (const name of ["write", "new"]) expect(await tricked.call(name)).toBe(false);
  expect(await tricked.end()).toEqual({ reached: [], refused: ["write", "new"] });
});
