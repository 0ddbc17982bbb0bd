import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace(ONE_ERA);
});
afterEach(() => workspace[Symbol.dispose]());

const required = [{ name: "x", required: true }];

/** Writes a server that offers these prompts and templates. */
function serve(prompts: readonly object[], resourceTemplates: readonly object[]): string[] {
  const results = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: "s", version: "1" },
    },
    "tools/list": { tools: [{ name: "one", inputSchema: { type: "object" } }] },
    "prompts/list": { prompts },
    "resources/list": { resources: [] },
    "resources/templates/list": { resourceTemplates },
    "prompts/get": { messages: [] },
  };
  writeFileSync(
    workspace.path("server.cjs"),
    `const results = ${JSON.stringify(results)};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "no" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});`,
  );
  return ["pin", "--name", "s", "--", process.execPath, workspace.path("server.cjs")];
}

const NOTICE = "items that need a user's input are neither read nor pinned";

describe("contents that take values of a user", () => {
  test("are counted and named by pin and by check, which read the others", async () => {
    const args = serve(
      [{ name: "a", arguments: required }, { name: "b" }, { name: "c\u001b[2J", arguments: required }],
      [{ uriTemplate: "file:///{path}", name: "files" }],
    );
    const says = `note: s: ${NOTICE}: 2 prompts with required arguments (a, c\\u{1b}[2J); 1 resource template (file:///{path})\n`;
    const pinned = await workspace.run(args, {}, { contents: true });
    expect(pinned).toMatchObject({ code: 0, stderr: expect.stringContaining(says) });
    expect(workspace.lock().servers[0]?.contents.map(({ definition }) => definition["name"])).toEqual(["prompt b"]);
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: expect.stringContaining(says) });
  });

  test("are counted where there are too many to name", async () => {
    const prompts = Array.from({ length: 25 }, (_, index) => ({ name: `p${index}`, arguments: required }));
    const { stderr } = await workspace.run(serve(prompts, []), {}, { contents: true });
    expect(stderr).toContain("25 prompts with required arguments (p0, p1, p10");
    expect(stderr).toContain(", and 5 more)");
  });

  test("are not mentioned if there are none, or no contents are read", async () => {
    expect((await workspace.run(serve([{ name: "b" }], []), {}, { contents: true })).stderr).not.toContain(NOTICE);
    const args = serve([{ name: "a", arguments: required }], []);
    expect((await workspace.run([...args.slice(0, 1), "--replace", ...args.slice(1)])).stderr).not.toContain(NOTICE);
  });
});
