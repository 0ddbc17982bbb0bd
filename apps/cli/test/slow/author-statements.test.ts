import { generateKeyPairSync } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AuthorProject, note } from "../support/author-project.ts";

let project: AuthorProject;
const FILE = "notes.statement.json";
const KEYS = new Map<string, string>();
const STATEMENTS = new Map<string, string>();
const FIRST = [note("keep")];
/** The same tool, but its schema says with known keywords that a text may be empty. */
const PATCHED = [withText({ type: "string", minLength: 0 })];
const STRICT = [note("keep", { required: ["text"] })];

function withText(text: object): object {
  const inputSchema = { type: "object", properties: { text }, required: [], additionalProperties: false };
  return { ...note("keep"), inputSchema };
}

function configure(rule: object = {}): void {
  const statements = { notes: { from: FILE, keys: [KEYS.get("author")], ...rule } };
  writeFileSync(project.path("agentprint.config.json"), JSON.stringify({ statements }));
}

/** Removes the statement, which the policy requires. */
function remove(): void {
  rmSync(project.path(FILE));
  configure({ required: true });
}

/**
 * Writes the named statement, or the name itself as text if there is no such statement, to the file that the
 * configuration names.
 */
const show = (name: string) => writeFileSync(project.path(FILE), STATEMENTS.get(name) ?? name);
const serve = (version: string, tools: readonly object[]) => project.write(version, tools);
const check = (...args: string[]) => project.run(["check", ...args]);

/** Releases 1.2.0, 1.2.1 and 2.0.0, each with its statement, and pins 1.2.0. */
beforeAll(async () => {
  project = new AuthorProject();
  for (const name of ["author", "other"]) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    writeFileSync(project.path(`${name}.pem`), privateKey.export({ format: "pem", type: "pkcs8" }));
    KEYS.set(name, publicKey.export({ format: "der", type: "spki" }).toString("base64"));
  }
  const sign = async (name: string, key: string, ...args: string[]) => {
    const run = await project.run(["release", "--against", "v1.2.0", "--statement", FILE, "--key", key, ...args]);
    if (run.code !== 0) throw new Error(run.stderr);
    STATEMENTS.set(name, readFileSync(project.path(FILE), "utf8"));
  };
  await project.release("1.2.0", FIRST);
  await sign("1.2.0", "author.pem");
  // The lock contains the digest of this file, but not of the file that it loads.
  writeFileSync(project.path("start.cjs"), 'require("./server.cjs");');
  await project.run(["pin", "--name", "notes", "--", "node", "start.cjs"]);
  for (const [version, tools] of [
    ["1.2.1", PATCHED],
    ["2.0.0", STRICT],
  ] as const) {
    project.write(version, tools);
    await project.run(["release", "--init"]);
    await sign(version, "author.pem");
  }
  rmSync(project.path(FILE));
  await sign("other", "other.pem");
});
afterAll(() => project[Symbol.dispose]());
beforeEach(() => {
  serve("1.2.0", FIRST);
  show("1.2.0");
  configure();
});

test("a statement that holds is not a finding, and a check without one is unchanged", async () => {
  expect(await check()).toMatchObject({ code: 0 });
  writeFileSync(project.path("agentprint.config.json"), "{}");
  show("<html>");
  expect(await check()).toMatchObject({ code: 0, stdout: expect.not.stringContaining("statement") });
});

test.each<[string, () => void, string]>([
  ["of another release", () => show("2.0.0"), "statement/definitions-differ"],
  ["of nobody who may sign", () => show("other"), "statement/wrong-key"],
  ["that cannot be read", () => show("<html>"), "statement/unreadable"],
  ["that is not there", remove, "statement/missing"],
])("a statement %s is a difference", async (_, prepare, rule) => {
  prepare();
  const { code, stdout } = await check("--format", "json");
  expect(code).toBe(1);
  const findings: readonly { readonly rule: string }[] = JSON.parse(stdout).findings;
  expect(findings.map((finding) => finding.rule)).toContain(rule);
  for (const finding of findings) expect(finding).toMatchObject({ level: "error", place: { server: "notes" } });
});

test("a statement that no policy requires may be absent", async () => {
  rmSync(project.path(FILE));
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining("there is no statement") });
});

test("a proven patch passes only if the policy allows it", async () => {
  serve("1.2.1", PATCHED);
  show("1.2.1");
  expect(await check()).toMatchObject({ code: 1 });
  configure({ accept: "patch" });
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining("a model reads nothing new") });
  show("1.2.0");
  expect(await check()).toMatchObject({ code: 1 });
  show("other");
  expect(await check()).toMatchObject({ code: 1 });
});

test("a statement does not let a larger change pass", async () => {
  configure({ accept: "patch" });
  serve("2.0.0", STRICT);
  show("2.0.0");
  expect(await check()).toMatchObject({ code: 1, stdout: expect.not.stringContaining("a model reads nothing new") });
});

test("an approval keeps the statement, so an older one is a replay", async () => {
  const lock = readFileSync(project.path("agentprint.lock"), "utf8");
  serve("2.0.0", STRICT);
  show("2.0.0");
  expect(await project.run(["approve", "notes", "--yes"])).toMatchObject({ code: 0 });
  const { statements } = JSON.parse(readFileSync(project.path("agentprint.lock"), "utf8"));
  expect(statements).toMatchObject([{ server: "notes", version: "2.0.0" }]);
  expect(await check()).toMatchObject({ code: 0 });
  serve("1.2.0", FIRST);
  show("1.2.0");
  const back = await check("--format", "json");
  expect(JSON.parse(back.stdout).findings.map(({ rule }: { rule: string }) => rule)).toContain("statement/replayed");
  writeFileSync(project.path("agentprint.lock"), lock);
});

test("a pin keeps a valid statement, and reports the problems of another one", async () => {
  const pin = (lock: string) => project.run(["pin", "--lock", lock, "--name", "notes", "--", "node", "start.cjs"]);
  const statementsIn = (lock: string) => JSON.parse(readFileSync(project.path(lock), "utf8")).statements;
  expect(await pin("first.lock")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("statement/") });
  expect(statementsIn("first.lock")).toMatchObject([{ server: "notes", version: "1.2.0" }]);
  show("other");
  expect(await pin("other.lock")).toMatchObject({ code: 0, stderr: expect.stringContaining("statement/wrong-key") });
  expect(statementsIn("other.lock")).toBeUndefined();
});

test("a statement is read from an address", async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/s.json" ? 200 : 404).end(STATEMENTS.get("1.2.0"));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    configure({ from: `${base}/s.json`, required: true });
    expect(await check()).toMatchObject({ code: 0 });
    configure({ from: `${base}/gone.json`, required: true });
    expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining("HTTP 404") });
  } finally {
    server.close();
  }
});

test("a change cannot name another key", async () => {
  expect(await project.run(["approve", "--policy", "--yes"])).toMatchObject({ code: 0 });
  configure({ keys: [KEYS.get("author"), KEYS.get("other")] });
  show("other");
  const { code, stdout } = await check("--format", "json");
  expect(code).toBe(1);
  const rules = JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule);
  expect(rules).toEqual(["policy/weakened", "statement/wrong-key"]);
});
