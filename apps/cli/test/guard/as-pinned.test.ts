import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { asClient, behindGuard } from "../support/quirks.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

const NUMBERS = fileURLToPath(new URL("../support/numbers-server.cjs", import.meta.url));

/** Returns the command of a server whose list of tools is in a file of the workspace. */
const server = (space: Workspace) => [process.execPath, NUMBERS, space.path("list.json")] as const;
const list = (maximum: string) =>
  `{"tools":[{"name":"seek","inputSchema":{"type":"object","properties":{"at":{"type":"integer","maximum":${maximum}}}}}]}`;

test("a number that a double cannot hold is pinned, checked and guarded by its text", async () => {
  using space = new Workspace(ONE_ERA);
  const set = (maximum: string) => writeFileSync(space.path("list.json"), list(maximum));
  set("18446744073709551615");
  expect((await space.run(["pin", "--name", "q", "--", ...server(space)])).code).toBe(0);
  expect(space.lockText()).toContain('"/inputSchema/properties/at/maximum": "18446744073709551615"');
  expect((await space.run(["check"])).code).toBe(0);
  const direct = await asClient(space, server(space), {});
  expect(direct.calls).toEqual([["seek", "called"]]);
  expect(await behindGuard(space, "q")).toEqual(direct);
  set("18446744073709551614");
  const changed = await space.run(["check"]);
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain("18446744073709551614");
  expect((await behindGuard(space, "q")).pages).toEqual([{ tools: [] }]);
});

test.each([
  ["a member of a tool in other letters", '{"tools":[{"name":"seek","inputSchema":{"type":"object"},"Title":"x"}]}'],
  ["a list that is not complete", '{"tools":[],"resultType":"input_required"}'],
])("pin reports everything that the guard refuses although it is pinned: %s", async (_, text) => {
  using space = new Workspace(ONE_ERA);
  writeFileSync(space.path("list.json"), text);
  const pinned = await space.run(["pin", "--name", "q", "--", ...server(space)]);
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  expect(pinned.stderr).toMatch(/note: q: agentprint guard refuses tools\/list: /);

  const config = { mcpServers: { q: { command: process.execPath, args: [NUMBERS, space.path("list.json")] } } };
  writeFileSync(space.path(".mcp.json"), JSON.stringify(config));
  const found = await space.run(["init", "--yes", "--scope", "project", "--ci", "none", "--lock", "other.lock"]);
  expect(found, found.stderr).toMatchObject({ code: 0 });
  const notesOf = ({ stderr }: { readonly stderr: string }) => stderr.match(/^note: q: agentprint guard refuses .*$/gm);
  expect(notesOf(found)).toEqual(notesOf(pinned));
});
