import { writeFileSync } from "node:fs";
import {
  type CapabilityLink,
  computeFullCapabilityLink,
  createCapabilitySnapshot,
  createRegisteredAgent,
  jsonSchema,
  policy,
  type StandardSchema,
  tool,
  toolkit,
} from "@agentprint/agent-capabilities";
import { describe, expect, test } from "vitest";
import { Workspace } from "../support/workspace.ts";

interface Turn {
  readonly plan?: string;
  readonly description?: string;
  readonly user?: string;
}

/** One agent's turn, evaluated for real. */
async function turn({ plan = "pro", description = "Reads a file", user = "u1" }: Turn = {}) {
  const handler = (): string => "";
  const pro = policy("tenant:pro", (ctx: { env: { plan: string } }) => ctx.env.plan === "pro");
  const root = toolkit(
    [
      tool({ name: "read", description, inputSchema: jsonSchema(true), handler }),
      tool({ name: "write", inputSchema: jsonSchema(true), policies: [pro], handler }),
    ],
    { name: "files" },
  );
  const agent = createRegisteredAgent({ agentId: "files-1", name: "Files", root });
  const full = await computeFullCapabilityLink({ agent, ctx: { env: { plan } }, invocationContext: { user } });
  return { link: full.link, snapshot: createCapabilitySnapshot(full) };
}

function write(workspace: Workspace, files: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(files)) writeFileSync(workspace.path(name), JSON.stringify(value));
}

describe("agentprint capabilities diff", () => {
  test("prints nothing and exits 0 for two links that agree", async () => {
    using workspace = new Workspace();
    const { link } = await turn();
    write(workspace, { "a.json": link, "b.json": link });
    const run = await workspace.run(["capabilities", "diff", "a.json", "b.json"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("Same capability link");
  });

  test("names the tool that a policy took away, and exits 1", async () => {
    using workspace = new Workspace();
    write(workspace, { "a.json": (await turn()).link, "b.json": (await turn({ plan: "free" })).link });
    const run = await workspace.run(["capabilities", "diff", "a.json", "b.json", "--format", "json"]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
    expect(run.stdout).toContain("tool-set-changed");
    const text = await workspace.run(["capabilities", "diff", "a.json", "b.json"]);
    expect(text.stdout).toContain("Files › write");
    expect(text.stdout).toContain("tool is no longer enabled");
  });

  test("shows the changes of a definition if it receives snapshots", async () => {
    using workspace = new Workspace();
    const [before, after] = [await turn(), await turn({ description: "Reads any file" })];
    write(workspace, { "a.json": before.snapshot, "b.json": after.snapshot, "link.json": after.link });
    const { code, stdout } = await workspace.run(["capabilities", "diff", "a.json", "b.json"]);
    expect(code).toBe(1);
    expect(stdout).toContain("description changed");
    expect(stdout).toContain("Reads any file");
    const json = await workspace.run(["capabilities", "diff", "a.json", "b.json", "--format", "json"]);
    expect(JSON.parse(json.stdout).changes).toContainEqual({
      subject: "Files › read",
      pointer: "/description",
      before: "Reads a file",
      after: "Reads any file",
    });
    const mixed = await workspace.run(["capabilities", "diff", "a.json", "link.json"]);
    expect(mixed.stdout).toContain("tool is a different one");
  });

  test("shows the schema that was hashed, whichever view of it that is", async () => {
    using workspace = new Workspace();
    for (const type of ["string", "number"]) {
      const input = (): object => ({ type });
      const schema = { vendor: "lib", version: 1, validate: (value: unknown) => ({ value }), jsonSchema: { input } };
      const root = tool({ name: "read", inputSchema: { "~standard": schema }, handler: () => "" });
      const agent = createRegisteredAgent(
        { agentId: "files-1", name: "Files", root },
        { schemaSource: "standard-json-schema", requireTransparentSchemas: true },
      );
      const full = await computeFullCapabilityLink({ agent, ctx: { env: {} } });
      write(workspace, { [`${type}.json`]: createCapabilitySnapshot(full) });
    }
    const { code, stdout } = await workspace.run(["capabilities", "diff", "string.json", "number.json"]);
    expect(code).toBe(1);
    expect(stdout).toContain("inputSchema changed");
    expect(stdout).toContain('{"type":"number"}');
  });

  test("reports for each changed schema whether calls break, and shows arguments that do", async () => {
    using workspace = new Workspace();
    const snapshotOf = async (inputSchema: StandardSchema) => {
      const root = tool({ name: "read", inputSchema, handler: () => "" });
      const agent = createRegisteredAgent({ agentId: "files-1", name: "Files", root });
      return createCapabilitySnapshot(await computeFullCapabilityLink({ agent, ctx: { env: {} } }));
    };
    const object = (extra: object) =>
      jsonSchema({ type: "object", properties: { path: { type: "string" } }, ...extra });
    write(workspace, {
      "a.json": await snapshotOf(object({})),
      "narrow.json": await snapshotOf(object({ required: ["path"] })),
      "wide.json": await snapshotOf(object({ type: ["object", "null"] })),
      "open.json": await snapshotOf(jsonSchema({ $ref: "https://example.com/schema" })),
      "bad.json": await snapshotOf(jsonSchema({ type: "text" })),
      "opaque.json": await snapshotOf({ "~standard": { vendor: "lib", version: 1, validate: (value) => ({ value }) } }),
    });
    const rows: [string, string, string][] = [
      ["narrow.json", "breaking", "Breaking: arguments {} were valid and are now rejected"],
      ["wide.json", "compatible", "Compatible: every call that was valid still is"],
      ["open.json", "unknown", "Whether calls stay valid could not be determined"],
      ["bad.json", "unknown", "Whether calls stay valid could not be determined"],
      ["opaque.json", "unknown", "Whether calls stay valid could not be determined"],
    ];
    for (const [file, verdict, text] of rows) {
      const { code, stdout } = await workspace.run(["capabilities", "diff", "a.json", file]);
      expect([file, code]).toEqual([file, file === "opaque.json" ? 2 : 1]);
      expect(stdout).toContain(text);
      const json = await workspace.run(["capabilities", "diff", "a.json", file, "--format", "json"]);
      expect(JSON.parse(json.stdout).definitions).toEqual([
        expect.objectContaining({ field: "inputSchema", compatibility: expect.objectContaining({ verdict }) }),
      ]);
      const explained = await workspace.run(["capabilities", "explain", "a.json", file]);
      expect(explained.stdout).toContain(`The inputSchema of tool "read" changed. ${text}.`);
    }
    const description = await workspace.run(["capabilities", "diff", "a.json", "a.json", "--format", "json"]);
    expect(JSON.parse(description.stdout).definitions).toEqual([]);
  });

  test("never reports links as equal if their tools differ under one runtime hash", async () => {
    using workspace = new Workspace();
    const { link } = await turn();
    const [read, write_] = link.toolRefs;
    const other = { toolKey: "wipe", toolHash: "0".repeat(64) };
    const forged = { ...link, toolRefs: [{ ...read, toolHash: "1".repeat(64) }, write_, other] };
    write(workspace, { "a.json": link, "b.json": forged, "c.json": { ...link, runtimeHash: "2".repeat(64) } });
    for (const command of ["diff", "explain"]) {
      const forgedRun = await workspace.run(["capabilities", command, "a.json", "b.json"]);
      expect(forgedRun).toMatchObject({ code: 1, stderr: "" });
      expect(forgedRun.stdout).toContain("but the tools differ");
      const hashOnly = await workspace.run(["capabilities", command, "a.json", "c.json"]);
      expect(hashOnly).toMatchObject({ code: 1, stderr: "" });
      expect(hashOnly.stdout).toContain("but the tools are the same");
    }
    const twice = { ...link, toolRefs: [{ ...read, toolHash: "1".repeat(64) }, ...link.toolRefs] };
    write(workspace, { "d.json": twice });
    const run = await workspace.run(["capabilities", "diff", "a.json", "d.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("d.json at /toolRefs/1/toolKey");
  });

  test.each(["text", "json", "markdown", "sarif", "junit", "github"])("writes %s", async (format) => {
    using workspace = new Workspace();
    write(workspace, { "a.json": (await turn()).link, "b.json": (await turn({ plan: "free", user: "u2" })).link });
    const run = await workspace.run(["capabilities", "diff", "a.json", "b.json", "--format", format]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
    expect(run.stdout).toContain("write");
    expect(run.stdout).toMatch(/invocation context (differs|changed)/);
  });

  test("writes no terminal escape that a link holds", async () => {
    using workspace = new Workspace();
    const { link } = await turn();
    const hostile: CapabilityLink = { ...link, agentName: "\u001b[2J\u009b31m" };
    write(workspace, { "a.json": link, "b.json": hostile });
    for (const command of ["diff", "explain"]) {
      const { stdout } = await workspace.run(["capabilities", command, "b.json", "a.json"]);
      expect(stdout).not.toContain("\u001b");
      expect(stdout).not.toContain("\u009b");
    }
  });
});

describe("agentprint capabilities explain", () => {
  test("explains why two turns differ", async () => {
    using workspace = new Workspace();
    write(workspace, { "a.json": (await turn()).link, "b.json": (await turn({ plan: "free" })).snapshot });
    const run = await workspace.run(["capabilities", "explain", "a.json", "b.json"]);
    expect(run).toEqual({
      code: 1,
      stdout:
        'Same static capabilities; runtime differs (enabled tools or policies changed).\n- Tool "write" is no longer enabled.\n',
      stderr: "",
    });
  });

  test("says it as data", async () => {
    using workspace = new Workspace();
    const { link } = await turn();
    write(workspace, { "a.json": link, "b.json": link });
    const run = await workspace.run(["capabilities", "explain", "a.json", "b.json", "--format", "json"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toMatchObject({ relationship: "same", details: [] });
  });
});

describe("an unreadable file is never the same", () => {
  test.each([
    ["no JSON", "{", "a.json:1:2"],
    ["a duplicate key", '{"agentId":"a","agentId":"b"}', "a.json:1:16"],
    ["no link", "[]", "capability link: expected an object"],
    ["a link with a bad digest", '{"agentId":"a","agentName":"A","staticHash":"1"}', "a.json at /staticHash"],
    ["a snapshot without tools", '{"link":{}}', "a.json at /agentId"],
  ])("%s", async (_name, text, where) => {
    using workspace = new Workspace();
    write(workspace, { "b.json": (await turn()).link });
    writeFileSync(workspace.path("a.json"), text);
    for (const command of ["diff", "explain"]) {
      const run = await workspace.run(["capabilities", command, "a.json", "b.json"]);
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain(where);
    }
  });

  test("a missing file", async () => {
    using workspace = new Workspace();
    const run = await workspace.run(["capabilities", "diff", "none.json", "none.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("cannot read none.json");
  });
});
