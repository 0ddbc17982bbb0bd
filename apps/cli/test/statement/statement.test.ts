import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createVerifier, openStatement, readReference } from "@agentprint/statement";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AuthorProject, note } from "../support/author-project.ts";

let project: AuthorProject;
const FILE = "notes.statement.json";
const KEEP = note("keep");
const STRICT = note("keep", { required: ["text"] });

/** Writes a key pair as `<name>.pem` and `<name>.pub`. */
function writeKeys(name: string): void {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(project.path(`${name}.pem`), privateKey.export({ format: "pem", type: "pkcs8" }));
  writeFileSync(project.path(`${name}.pub`), publicKey.export({ format: "pem", type: "spki" }));
}

const pin = (lock: string) => project.run(["pin", "--lock", lock, "--name", "notes", "--", "node", "server.cjs"]);
const prove = (...args: string[]) => proveFile(FILE, ...args);
const proveFile = (file: string, ...args: string[]) => project.run(["statement", file, "notes", ...args]);

/** Releases 1.2.0 and 2.0.0, each with a consumer's lock and a statement. */
beforeAll(async () => {
  project = new AuthorProject();
  for (const name of ["author", "other"]) writeKeys(name);
  const sign = () => project.run(["release", "--against", "v1.2.0", "--statement", FILE, "--key", "author.pem"]);
  await project.release("1.2.0", [KEEP]);
  await sign();
  writeFileSync(project.path("old.statement.json"), readFileSync(project.path(FILE)));
  await pin("old.lock");
  project.write("2.0.0", [STRICT]);
  await project.run(["release", "--init"]);
  await sign();
  await pin("agentprint.lock");
});
afterAll(() => project[Symbol.dispose]());

test("a true statement holds, with its verdict", async () => {
  expect(await prove("--key", "author.pub", "--before", "old.lock")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("the statement about notes holds"),
  });
  const json = await prove("--key", "other.pub", "--key", "author.pub", "--format", "json");
  expect(JSON.parse(json.stdout).statement).toMatchObject({ name: "@me/notes", version: "2.0.0" });
});

test("a statement of another release, or one next to a later version's, does not hold", async () => {
  const wrong = await prove("--key", "author.pub", "--lock", "old.lock");
  expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining("tool keep") });
  const args = ["--key", "author.pub", "--lock", "old.lock", "--accepted", FILE];
  const back = await proveFile("old.statement.json", ...args);
  expect(back).toMatchObject({ code: 1, stdout: expect.stringContaining("a newer statement was accepted before") });
});

test("a key that is not accepted, or a changed statement, is a finding", async () => {
  expect(await prove("--key", "other.pub")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("no trusted key"),
  });
  const envelope = JSON.parse(readFileSync(project.path(FILE), "utf8"));
  writeFileSync(project.path("changed.json"), JSON.stringify({ ...envelope, payload: "e30=" }));
  expect(await proveFile("changed.json", "--key", "author.pub")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("the signature does not belong to this key"),
  });
});

test("the keys of the configuration may sign, and one of the command line replaces them", async () => {
  const keys = [createVerifier(readFileSync(project.path("author.pub"), "utf8")).publicKey];
  writeFileSync(project.path("agentprint.config.json"), JSON.stringify({ statements: { notes: { keys } } }));
  expect(await prove()).toMatchObject({ code: 0 });
  expect(await prove("--key", "other.pub")).toMatchObject({ code: 1 });
  rmSync(project.path("agentprint.config.json"));
  expect(await prove()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--key <file>, or keys of statements"),
  });
});

test("the keys next to a statement are used: a key that revoked itself no longer signs anything", async () => {
  await project.run(["key", "revoke", "--key", "author.pem", "--statement", FILE]);
  const { code, stdout } = await prove("--key", "author.pub");
  rmSync(project.path("notes.statement.keys.jsonl"));
  expect(code).toBe(1);
  expect(stdout).toContain("has been revoked since");
  expect(stdout).toContain("the signing key");
});

test("a release names its statement in server.json", async () => {
  const release = (address: string, ...args: string[]) =>
    project.run(["release", "--against", "v1.2.0", "--server-json", address, ...args]);
  const signed = ["--statement", "named.json", "--key", "author.pem"];
  const address = "https://example.com/named.json";
  expect(await release(address)).toMatchObject({ code: 2, stderr: expect.stringContaining("--statement") });
  expect(await release(address, ...signed)).toMatchObject({ code: 2, stderr: expect.stringContaining("server.json") });
  writeFileSync(project.path("server.json"), '{\n\t"name": "me/notes",\n\t"version": "2.0.0"\n}\n');
  expect(await release("s.json", ...signed)).toMatchObject({ code: 2, stderr: expect.stringContaining("/address") });
  expect(existsSync(project.path("named.json"))).toBe(false);
  expect(await release(address, ...signed)).toMatchObject({ code: 0 });
  const text = readFileSync(project.path("server.json"), "utf8");
  expect(text).toMatch(/^\{\n\t"name": "me\/notes",\n\t"version": "2.0.0",\n\t"_meta": \{/);
  const keys = [createVerifier(readFileSync(project.path("author.pub"), "utf8"))];
  const { digest } = openStatement(readFileSync(project.path("named.json")), keys);
  expect(readReference(JSON.parse(text))).toMatchObject({ address, sha256: digest });
});

test.each([
  ["no statement", "{}", "author.pub", "/payloadType"],
  ["a private key", "", "author.pem", "not a public Ed25519 key"],
])("%s cannot be read", async (_, text, key, said) => {
  writeFileSync(project.path("unread.json"), text);
  const run = await proveFile("unread.json", "--key", key);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});
