import { createHash, generateKeyPairSync } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AuthorProject, note } from "../support/author-project.ts";

let project: AuthorProject;
const FILE = "notes.statement.json";
const HISTORY = "notes.statement.keys.jsonl";
const LOCK = "agentprint.lock";
const KEYS = new Map<string, string>();
const STATEMENTS = new Map<string, string>();
let pinned: string;

const read = (file: string) => readFileSync(project.path(file), "utf8");
const write = (file: string, text: string) => writeFileSync(project.path(file), text);
const check = async (...args: string[]) => {
  const { code, stdout } = await project.run(["check", "--format", "json", ...args]);
  const { findings } = JSON.parse(stdout);
  return { code, rules: findings.map(({ rule }: { rule: string }) => rule.replace("statement/", "")) };
};
const approve = (...args: string[]) => project.run(["approve", "notes", ...args]);
const remembered = () => JSON.parse(read(LOCK)).authorKeys;
const accepted = () =>
  project
    .lock()
    .statements?.map(({ sha256 }) => sha256)
    .join();
const digestOf = (name: string) => {
  const { payload } = JSON.parse(STATEMENTS.get(name) ?? "");
  return createHash("sha256").update(Buffer.from(payload, "base64")).digest("hex");
};
const rotate = (key: string, successor: string) =>
  project.run(["key", "rotate", "--statement", FILE, "--key", `${key}.pem`, "--successor", `${successor}.pub`]);
const revoke = (key: string, revoked: string) =>
  project.run(["key", "revoke", "--statement", FILE, "--key", `${key}.pem`, "--revoked", `${revoked}.pub`]);
const show = (name: string) => write(FILE, STATEMENTS.get(name) ?? "");

beforeAll(async () => {
  project = new AuthorProject();
  for (const name of ["author", "next", "thief"]) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    write(`${name}.pem`, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
    write(`${name}.pub`, publicKey.export({ format: "pem", type: "spki" }).toString());
    KEYS.set(name, publicKey.export({ format: "der", type: "spki" }).toString("base64"));
  }
  await project.release("1.2.0", [note("keep")]);
  for (const name of ["author", "next", "thief"]) {
    rmSync(project.path(FILE), { force: true });
    const run = await project.run(["release", "--against", "v1.2.0", "--statement", FILE, "--key", `${name}.pem`]);
    if (run.code !== 0) throw new Error(run.stderr);
    STATEMENTS.set(name, read(FILE));
  }
  const statements = { notes: { from: FILE, keys: [KEYS.get("author")], required: true } };
  write("agentprint.config.json", JSON.stringify({ statements }));
  await project.run(["pin", "--name", "notes", "--", "node", "server.cjs"]);
  pinned = read(LOCK);
});
afterAll(() => project[Symbol.dispose]());
beforeEach(() => {
  write(LOCK, pinned);
  rmSync(project.path(HISTORY), { force: true });
  show("author");
});

test("a new key is a finding until a person accepts it, and binds from then on", async () => {
  await rotate("author", "next");
  show("next");
  expect(await check()).toEqual({ code: 1, rules: ["key-rotated", "wrong-key"] });
  const asked = await approve();
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("not-reviewed") });
  expect(remembered()).toBeUndefined();
  const { digest } = project.lock().servers[0] ?? {};
  const expected = await approve("--expect", digest ?? "");
  expect(expected).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("this does not accept an author's new key"),
  });
  expect(remembered()).toBeUndefined();
  expect(await approve("--yes")).toMatchObject({ code: 0 });
  expect(remembered()).toMatchObject([{ successors: [{ key: KEYS.get("author"), successor: KEYS.get("next") }] }]);
  expect(project.lock().statements).toMatchObject([{ server: "notes", version: "1.2.0" }]);
  expect(await check()).toEqual({ code: 0, rules: [] });
  // The thief of the old key signs again, now with another successor.
  show("thief");
  expect((await check()).rules).toEqual(["wrong-key"]);
  rmSync(project.path(HISTORY));
  show("next");
  expect((await check()).rules).toEqual(["keys-rolled-back"]);
  await rotate("author", "thief");
  expect((await check()).rules).toEqual(["keys-forked"]);
});

test.each(["compatible", "breaking", "strict"])(
  "an unaccepted successor proves nothing under %s, or where a statement is required",
  async (preset) => {
    const pin = () => project.run(["pin", "--replace", "--name", "notes", "--", "node", "server.cjs"]);
    await pin();
    await rotate("author", "thief");
    show("thief");
    const configured = read("agentprint.config.json");
    write("agentprint.config.json", JSON.stringify({ preset, ...JSON.parse(configured) }));
    try {
      const { code, rules } = await check();
      expect(code).toBe(1);
      expect(rules).toEqual(expect.arrayContaining(["key-rotated", "wrong-key"]));
      const guarded = await project.run(["guard", "notes", "--", "node", "server.cjs"]);
      expect(guarded).toMatchObject({ code: 2, stderr: expect.stringContaining("statement-refused") });
      await pin();
      expect(accepted()).toBe(digestOf("author"));
      const verified = await project.run(["statement", FILE, "notes"]);
      expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining("only once a person has accepted") });
    } finally {
      write("agentprint.config.json", configured);
    }
    show("author");
    expect((await check()).rules).toEqual(expect.not.arrayContaining(["replayed"]));
  },
);

test("a revoked key is accepted nowhere, and is not forgotten if its revocation is held back", async () => {
  await revoke("author", "author");
  expect(await check()).toEqual({ code: 1, rules: ["revocation-new", "key-revoked"] });
  expect(await approve("--yes")).toMatchObject({ code: 0 });
  expect(remembered()).toMatchObject([{ server: "notes", revoked: [{ key: KEYS.get("author") }] }]);
  rmSync(project.path(HISTORY));
  expect((await check()).rules).toEqual(["keys-rolled-back", "key-revoked"]);
  await project.run(["remove", "notes"]);
  await project.run(["pin", "--name", "notes", "--", "node", "server.cjs"]);
  expect((await check()).rules).toEqual(["keys-rolled-back", "key-revoked"]);
});

test("a pin learns of a revocation, and of no new key", async () => {
  const pin = (lock: string) => project.run(["pin", "--lock", lock, "--name", "notes", "--", "node", "server.cjs"]);
  await rotate("author", "next");
  expect(await pin("rotated.lock")).toMatchObject({ stderr: expect.stringContaining("statement/key-rotated") });
  expect(JSON.parse(read("rotated.lock"))).not.toHaveProperty("authorKeys");
  await revoke("next", "author");
  await pin("both.lock");
  const [both] = JSON.parse(read("both.lock")).authorKeys;
  expect(both).toMatchObject({ successors: [], revoked: [{ key: KEYS.get("author") }] });
  rmSync(project.path(HISTORY));
  await revoke("author", "author");
  await pin("revoked.lock");
  expect(JSON.parse(read("revoked.lock")).authorKeys).toMatchObject([{ revoked: [{ key: KEYS.get("author") }] }]);
});

test("a change that forgets a revocation is a finding, and the revocation stays in force", async () => {
  await revoke("author", "author");
  await approve("--yes");
  project.repository.commit();
  write(LOCK, pinned);
  rmSync(project.path(HISTORY));
  const { code, rules } = await check("--base", "HEAD");
  expect(code).toBe(1);
  expect(rules).toEqual(expect.arrayContaining(["keys-forgotten", "key-revoked", "keys-rolled-back"]));
});

test("a change that accepts a new key reports it, and the old key signs no more releases", async () => {
  project.repository.commit();
  await rotate("author", "next");
  show("next");
  await approve("--yes");
  expect(await check("--base", "HEAD")).toEqual({ code: 0, rules: ["lock/author-keys"] });
  const signed = (key: string) => project.run(["release", "--against", "v1.2.0", "--statement", FILE, "--key", key]);
  show("author");
  expect(await signed("author.pem")).toMatchObject({ code: 2, stderr: expect.stringContaining("has replaced") });
  expect(await signed("next.pem")).toMatchObject({ code: 0 });
});
