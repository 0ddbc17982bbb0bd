import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

const TOKEN = "hunter2hunter2";
const ENV = { MAP_TOKEN: TOKEN };
const PIN = ["pin", "--replace", "--name", "maps", "--env", "MAP_TOKEN", "--", "node", "server.mjs"];

/** A server with a page that contains the token, and a text that does not. */
const SERVER = `
import { createInterface } from "node:readline";
const tools = [{ name: "map", inputSchema: { type: "object" }, _meta: { ui: { resourceUri: "ui://maps/map" } } }];
const resources = [{ name: "map", uri: "ui://maps/map" }, { name: "guide", uri: "doc://guide" }];
const text = { "ui://maps/map": "<script>token = '" + process.env.MAP_TOKEN + "'</script>", "doc://guide": "Hello" };
const answers = {
  "initialize": ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools }),
  "resources/list": () => ({ resources }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: text[uri] }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: "unknown" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
`;

function withConfiguration(space: Workspace, ...uris: string[]): void {
  writeFileSync(space.path("server.mjs"), SERVER);
  const visits = uris.length === 0 ? {} : { leaveOut: { maps: uris } };
  writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ visits }));
}

test("a resource with a token in it is left out of the lock by a setting that the refusal names", async () => {
  using space = new Workspace(ONE_ERA);
  withConfiguration(space);
  const refused = await space.run(PIN, ENV);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('{"visits":{"leaveOut":{"maps":["ui://maps/map"]}}} in agentprint.config.json');

  withConfiguration(space, "ui://maps/map", "doc://gide");
  const pinned = await space.run(PIN, ENV);
  expect(pinned.code).toBe(0);
  expect(pinned.stderr).toContain("note: not pinned: resource ui://maps/map of maps, as visits.leaveOut says\n");
  expect(pinned.stderr).toContain("note: no resource doc://gide of maps");
  const [entry] = space.lock().servers;
  expect(entry?.resources.map(({ definition }) => definition["uri"])).toEqual(["doc://guide"]);
  expect(entry?.contents).toEqual([]);
  expect(space.lockText()).not.toContain(TOKEN);
  for (const command of [["check"], ["check"], ["approve", "maps"]]) {
    expect(await space.run(command, ENV)).toMatchObject({ code: 0 });
  }
  const withContents = { contents: true };
  expect(await space.run(PIN, ENV, withContents)).toMatchObject({ code: 0 });
  expect(space.lock().servers[0]?.contents.map(({ definition }) => definition["name"])).toEqual([
    "resource doc://guide",
  ]);
});

test("without the setting the resource is a new one, and one that was pinned is gone with it", async () => {
  using space = new Workspace(ONE_ERA);
  withConfiguration(space, "ui://maps/map");
  await space.run(PIN, ENV);
  withConfiguration(space);
  const added = await space.run(["check"], ENV);
  expect(added).toMatchObject({ code: 1, stdout: expect.stringContaining("resource ui://maps/map") });
  withConfiguration(space, "ui://maps/map", "doc://guide");
  const removed = await space.run(["check"], ENV);
  expect(removed).toMatchObject({ code: 1, stdout: expect.stringContaining("resource doc://guide: resource removed") });
});
