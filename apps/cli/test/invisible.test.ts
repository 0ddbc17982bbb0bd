import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Workspace } from "./support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

/** Invisible characters according to this Node's Unicode data. */
const INVISIBLE =
  /(?![ \n])[\p{Cc}\p{Cf}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;
const NAME = "a\u202e\u3164\u{e0100}\ufe0f\u2800b";

describe("an invisible character", () => {
  test("is escaped in the manifest of a tree, which reads back with the same digest", async () => {
    writeFileSync(workspace.path(`${NAME}.txt`), "text");
    expect((await workspace.run(["text", "tree", "--manifest", "tree.json"])).code).toBe(0);
    const manifest = readFileSync(workspace.path("tree.json"), "utf8");
    expect(manifest).toContain("a\\u202e\\u3164\\udb40\\udd00\\ufe0f\\u2800b.txt");
    expect(manifest).not.toMatch(INVISIBLE);
    expect(Object.keys(JSON.parse(manifest).files)).toEqual([`${NAME}.txt`]);
    const check = await workspace.run(["text", "tree", "--check", "tree.json"]);
    expect(check).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    { name: "a hash as JSON", args: ["text", "hash", "--format", "json", `${NAME}.json`], code: 0 },
    { name: "a hash", args: ["text", "hash", `${NAME}.json`], code: 0 },
    { name: "a file that is not there", args: ["hash", `no ${NAME}`], code: 2 },
    { name: "a new manifest", args: ["manifest", "init", `new ${NAME}`], code: 0 },
    { name: "an option that does not exist", args: [`--${NAME}`], code: 2 },
    { name: "a value that is no choice", args: ["rules", "--format", NAME], code: 2 },
    { name: "a rule that does not exist", args: ["explain", NAME], code: 2 },
    { name: "a folder without readable files", args: ["text", "tree", `no ${NAME}`], code: 2 },
  ])("is escaped by $name", async ({ args, code }) => {
    writeFileSync(workspace.path(`${NAME}.json`), "{}");
    const run = await workspace.run(args);
    expect(run.code).toBe(code);
    const printed = run.stdout + run.stderr;
    expect(printed).toMatch(/\\u(\{202e\}|202e)/);
    expect(printed).not.toMatch(INVISIBLE);
  });

  test("stays in canonical text, which is hashed", async () => {
    writeFileSync(workspace.path("a.json"), JSON.stringify(NAME));
    expect((await workspace.run(["canonicalize", "a.json"])).stdout).toBe(JSON.stringify(NAME));
  });
});
