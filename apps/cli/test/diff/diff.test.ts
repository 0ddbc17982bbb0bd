import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { installedServer, serverScript } from "../../demo/installed-server.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";

let space: Workspace;
let locks: readonly (readonly [file: string, text: string])[];
beforeEach(() => {
  space = new Workspace(ONE_ERA);
  for (const [file, text] of locks) writeFileSync(space.path(file), text);
});
afterEach(() => space[Symbol.dispose]());

const commandOf = (version: string): string =>
  `node "${serverScript(installedServer(`server-filesystem-${version}`))}" .`;
const [OLD, NEW] = [commandOf("2026-1-14"), commandOf("2026-7-4")];

/** The locks of the real servers are created once for all tests. */
beforeAll(async () => {
  using first = new Workspace(ONE_ERA);
  writeFileSync(first.path("more.cjs"), toolsServer([]));
  for (const [file, name, command] of [
    ["old.lock", "files", OLD],
    ["new.lock", "files", NEW],
    ["several.lock", "more", "node more.cjs"],
  ] as const) {
    const words = command.replaceAll('"', "").split(" ");
    expect(await first.run(["pin", "--lock", file, "--name", name, "--", ...words])).toMatchObject({ code: 0 });
    if (file === "new.lock") copyFileSync(first.path(file), first.path("several.lock"));
  }
  locks = ["old.lock", "new.lock", "several.lock"].map((file) => [file, readFileSync(first.path(file), "utf8")]);
});

const diff = (...args: string[]) => space.run(["diff", ...args]);

test("two commands are compared as one server: the launch is no difference", async () => {
  const run = await diff(OLD, NEW, "--format", "json");
  expect(run.code).toBe(1);
  const { findings, command } = JSON.parse(run.stdout);
  expect(command).toBe("agentprint diff");
  expect(findings.map(({ rule }: { rule: string }) => rule)).toEqual(["mcp/hint-more-power"]);
  expect(await diff(OLD, OLD)).toMatchObject({ code: 0 });
});

test("--changelog writes release notes, tool by tool, in which a hint breaks no call", async () => {
  const run = await diff("old.lock", "new.lock", "--changelog", "-o", "notes.md");
  expect(run).toMatchObject({ code: 1, stdout: "" });
  const notes = readFileSync(space.path("notes.md"), "utf8");
  expect(notes.match(/^## (?!agentprint).*$/gm)).toEqual(["## Other changes"]);
  expect(notes).toContain("move_file");
  expect((await diff("old.lock", "old.lock", "--changelog")).stdout).toContain("Nothing changed.");
});

test("two locks are compared, with the servers that only one of them has", async () => {
  const run = await diff("old.lock", "several.lock", "--format", "json");
  expect(run.code).toBe(1);
  const rules = JSON.parse(run.stdout).findings.map(({ rule }: { rule: string }) => rule);
  expect(rules).toContain("lock/server-added");
  expect(rules).toContain("mcp/hint-more-power");
  expect((await diff("several.lock", "old.lock")).stdout).toContain("server removed");
  // A lock with one server stands for that server.
  expect(await diff("old.lock", OLD)).toMatchObject({ code: 0 });
  expect(await diff("several.lock", OLD)).toMatchObject({ code: 2, stderr: expect.stringContaining("usage") });
});

/** Returns a saved visit to a server with one tool and these additional lists. */
const visit = (description: string, lists: object = {}): string =>
  JSON.stringify({
    launch: { type: "stdio", command: "node", args: ["server.js"], env: [] },
    client: "bare",
    clientCapabilities: {},
    sessions: [
      {
        era: "legacy",
        view: "bare",
        protocolVersion: "2025-11-25",
        greetings: [
          { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
        ],
        lists: { tools: [[{ tools: [{ name: "read", description, inputSchema: { type: "object" } }] }]], ...lists },
        contents: [],
      },
    ],
  });

test.each([
  ["a new text", { description: "Greets" }, ["## Other changes"]],
  ["an argument that may be given", { arguments: [{ name: "who" }] }, ["## Other changes"]],
  ["a newly required argument", { arguments: [{ name: "who", required: true }] }, ["## Breaking changes"]],
])("a changelog has a prompt with %s in one section", async (_name, more, sections) => {
  const prompts = (members: object) => ({ prompts: [[{ prompts: [{ name: "greet", ...members }] }]] });
  writeFileSync(space.path("a.json"), visit("Reads", prompts({})));
  writeFileSync(space.path("b.json"), visit("Reads", prompts(more)));
  const { stdout } = await diff("a.json", "b.json", "--changelog");
  expect(stdout.match(/^## (?!agentprint).*$/gm)).toEqual(sections);
});

test("two saved visits are compared", async () => {
  writeFileSync(space.path("a.json"), visit("Reads a file"));
  writeFileSync(space.path("b.json"), visit("Reads a folder"));
  const run = await diff("a.json", "b.json", "--format", "json");
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout).findings).toMatchObject([{ rule: "mcp/prose-signal", place: { tool: "read" } }]);
  writeFileSync(space.path("c.json"), '{"sessions": []}');
  expect(await diff("a.json", "c.json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("neither a lock nor a visit"),
  });
  writeFileSync(space.path("d.json"), "{");
  expect(await diff("a.json", "d.json")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not JSON") });
});

test("a side that does not answer is not a difference, and an empty one is refused", async () => {
  expect(await diff(OLD, "no-such-program --at all")).toMatchObject({ code: 2 });
  expect(await diff(OLD, " ")).toMatchObject({ code: 2, stderr: expect.stringContaining("usage") });
});
