import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createSigner, createVerifier, openStatement, signStatement } from "@agentprint/statement";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AuthorProject, note } from "../support/author-project.ts";

const FILE = "notes.statement.json";
const LOCK = "agentprint.lock";
const [FIRST, RENEWED] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
let project: AuthorProject;
let pinned: string;
let pem: string;
let key: string;
let signed: string;

const read = (file: string) => readFileSync(project.path(file), "utf8");
const write = (file: string, text: string) => writeFileSync(project.path(file), text);
const accepted = () => project.lock().statements?.map(({ issued }) => issued);
const rules = async () => {
  const { stdout } = await project.run(["check", "--format", "json"]);
  return JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule);
};
/** Signs the release's statement with another time of issue. Without its verdict, the statement follows no other. */
const show = (issued: string, { isLinked = true, expires = "2099-01-01T00:00:00Z" } = {}) => {
  const { statement } = openStatement(signed, [createVerifier(key)]);
  const { verdict, ...rest } = statement.predicate;
  const predicate = { ...rest, issued, expires, ...(verdict && !isLinked && { verdict }) };
  write(FILE, signStatement({ ...statement, predicate }, createSigner(pem)));
};

beforeAll(async () => {
  project = new AuthorProject();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  key = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  write("author.pem", pem);
  await project.release("1.2.0", [note("keep")]);
  const run = await project.run(["release", "--against", "v1.2.0", "--statement", FILE, "--key", "author.pem"]);
  if (run.code !== 0) throw new Error(run.stderr);
  signed = read(FILE);
  show(FIRST);
  write("agentprint.config.json", JSON.stringify({ statements: { notes: { from: FILE, keys: [key] } } }));
  await project.run(["pin", "--name", "notes", "--", "node", "server.cjs"]);
  pinned = read(LOCK);
});
afterAll(() => project[Symbol.dispose]());
beforeEach(() => write(LOCK, pinned));

test.each([[], ["--yes"], ["--all"], ["--expect"]])(
  "approve %s keeps the statement that held, also where the server is unchanged",
  async (...args) => {
    expect(accepted()).toEqual([FIRST]);
    show(RENEWED);
    const digest = project.lock().servers[0]?.digest ?? "";
    const rest = args[0] === "--all" ? args : ["notes", ...args, ...(args[0] === "--expect" ? [digest] : [])];
    expect(await project.run(["approve", ...rest])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("kept the statement about notes 1.2.0"),
    });
    expect(accepted()).toEqual([RENEWED]);
    expect(await rules()).toEqual([]);
    show(FIRST);
    expect(await rules()).toEqual(["statement/replayed"]);
    expect(await project.run(["approve", "notes"])).toMatchObject({ code: 0, stderr: "" });
    expect(accepted()).toEqual([RENEWED]);
  },
);

test("a statement that holds with a warning is kept only where a person accepts it", async () => {
  show(RENEWED, { isLinked: false });
  expect(await rules()).toEqual(["statement/unlinked"]);
  expect(await project.run(["approve", "notes"])).toMatchObject({ code: 2 });
  expect(accepted()).toEqual([FIRST]);
  expect(await project.run(["approve", "notes", "--yes"])).toMatchObject({ code: 0 });
  expect(accepted()).toEqual([RENEWED]);
});

test("a statement that does not hold is not kept, and one that is there already is not written again", async () => {
  show("2099-01-01T00:00:00Z", { expires: "2199-01-01T00:00:00Z" });
  await project.run(["approve", "notes", "--yes"]);
  expect(read(LOCK)).toBe(pinned);
  show(FIRST);
  expect(await project.run(["approve", "notes"])).toMatchObject({ code: 0, stderr: "" });
  expect(read(LOCK)).toBe(pinned);
});
