import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { callOf, Guarded, INITIALIZE } from "../guard/guarded.ts";
import { asClient, guardCommand, isPinned, QUIRKS } from "../support/quirks.ts";
import { Workspace } from "../support/workspace.ts";

const NUMBERS = fileURLToPath(new URL("../support/numbers-server.cjs", import.meta.url));

/** Returns the command of a server whose list of tools is in a file of the workspace. */
const server = (space: Workspace) => [process.execPath, NUMBERS, space.path("list.json")] as const;
const list = (maximum: string) =>
  `{"tools":[{"name":"seek","inputSchema":{"type":"object","properties":{"at":{"type":"integer","maximum":${maximum}}}}}]}`;

test("what pin and check call unchanged, a client behind the guard lists and calls", async () => {
  using space = new Workspace();
  const direct = [process.execPath, QUIRKS, "emptyend"];
  expect(await isPinned(space, direct)).toBe(true);
  const wanted = await asClient(space, direct, {});
  expect(wanted.calls).toHaveLength(3);
  expect(await asClient(space, guardCommand("q"), {})).toEqual(wanted);
});

test("a null cursor counts as the end of a list, and pin says how the official clients read it", async () => {
  using space = new Workspace();
  const direct = [process.execPath, QUIRKS, "nullcursor"] as const;
  const pinned = await space.run(["pin", "--name", "q", "--", ...direct]);
  expect(pinned.code).toBe(0);
  expect(pinned.stderr).toContain("the official TypeScript client refuses");
  expect((await space.run(["check"])).code).toBe(0);
  // As a second opinion, both major versions of the official client refuse the server's own list.
  expect((await asClient(space, direct, {})).pages).toEqual(["failed"]);
  const modern = new ModernClient({ name: "official", version: "2.0.0" });
  const [command, ...args] = direct;
  await modern.connect(new ModernTransport({ command, args, stderr: "ignore" }));
  await expect(modern.listTools()).rejects.toThrow();
  await modern.close();
  await using guarded = await Guarded.start(space, "q");
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 1, result: { nextCursor: null } });
  guarded.send(callOf(2, "one"));
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 2, result: { content: [{ text: "ok 1" }] } });
});

test("without a record, a refusal is a line on standard error and in the log", async () => {
  using space = new Workspace();
  const env = { XDG_STATE_HOME: space.path("state") };
  writeFileSync(space.path("list.json"), list("9223372036854775807"));
  await space.run(["pin", "--name", "q", "--", ...server(space)]);
  expect((await space.run(["guard", "log"], env)).code).toBe(2);
  writeFileSync(space.path("list.json"), list("9223372036854775806"));
  await using guarded = await Guarded.startIn(space, env, "q");
  guarded.send(INITIALIZE);
  await guarded.line();
  guarded.send(callOf(1, "seek"));
  expect(JSON.parse(await guarded.line())).toMatchObject({ id: 1, result: { isError: true } });
  guarded.child.stdin.end();
  await guarded.end();
  // If the guard had waited for a listing that never came, the reason would be a different one.
  const lines = guarded.stderr.split("\n").filter((line) => line.includes("refused"));
  expect(lines).toEqual([
    "note: q: refused the tool seek in tools/list: mcp/number-changed, the list is shown without it",
    "note: q: refused the tool seek in tools/call: mcp/number-changed, the tool differs from the lock",
  ]);
  const log = await space.run(["guard", "log"], env);
  expect(log.code).toBe(0);
  expect(log.stdout.match(/refused +q the tool seek in tools\/call mcp\/number-changed/g)).toHaveLength(1);
  const json = (await space.run(["guard", "log", "--format", "json"], env)).stdout;
  expect(
    json
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { is: "refusal", server: "q", method: "tools/list", tool: "seek", rules: ["mcp/number-changed"] },
    { is: "refusal", server: "q", method: "tools/call", tool: "seek", rules: ["mcp/number-changed"] },
  ]);
});
