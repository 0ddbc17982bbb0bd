import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { followKeys } from "@agentprint/statement";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workspace } from "../support/workspace.ts";

let project: Workspace;
let keys: Record<"author" | "next" | "other", string>;
const HISTORY = "agentprint.statement.keys.jsonl";

/** Writes a key pair as `<name>.pem` and `<name>.pub`, and returns the public key. */
function writeKeys(name: string): string {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(project.path(`${name}.pem`), privateKey.export({ format: "pem", type: "pkcs8" }));
  writeFileSync(project.path(`${name}.pub`), publicKey.export({ format: "pem", type: "spki" }));
  return publicKey.export({ format: "der", type: "spki" }).toString("base64");
}

const rotate = (key: string, successor: string, ...args: string[]) =>
  project.run(["key", "rotate", "--key", `${key}.pem`, "--successor", `${successor}.pub`, ...args]);
const revoke = (key: string, ...args: string[]) => project.run(["key", "revoke", "--key", `${key}.pem`, ...args]);
const follow = (now = new Date()) => followKeys(readFileSync(project.path(HISTORY)), { now, keys: [keys.author] });

beforeEach(() => {
  project = new Workspace();
  keys = { author: writeKeys("author"), next: writeKeys("next"), other: writeKeys("other") };
});
afterEach(() => project[Symbol.dispose]());

test("a key is generated as other programs read it, and never replaced", async () => {
  const made = await project.run(["key", "generate", "new.pem"]);
  const secret = readFileSync(project.path("new.pem"), "utf8");
  const line = createPublicKey(createPrivateKey(secret)).export({ format: "der", type: "spki" }).toString("base64");
  expect(made).toMatchObject({ code: 0, stdout: `${line}\n` });
  expect(readFileSync(project.path("new.pub"), "utf8")).toBe(`${line}\n`);
  expect(statSync(project.path("new.pem")).mode & 0o777).toBe(0o600);

  const again = await project.run(["key", "generate", "new.pem"]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("a key that exists is never replaced") });
  expect(readFileSync(project.path("new.pem"), "utf8")).toBe(secret);
});

test("neither half of a key is left behind where the file of the other half exists", async () => {
  writeFileSync(project.path("new.pub"), "other");
  expect(await project.run(["key", "generate", "new.pem"])).toMatchObject({ code: 2, stdout: "" });
  expect(existsSync(project.path("new.pem"))).toBe(false);
  expect(readFileSync(project.path("new.pub"), "utf8")).toBe("other");
});

test("a key is replaced, and then revoked by its successor", async () => {
  const run = await rotate("author", "next");
  expect(run).toMatchObject({ code: 0, stderr: `wrote ${HISTORY}: ${keys.next} replaces ${keys.author}\n` });
  const since = "2026-05-01T00:00:00Z";
  expect(await revoke("next", "--revoked", "author.pub", "--since", since)).toMatchObject({ code: 0 });
  const { current, news, problems } = follow();
  expect(problems.map(({ rule }) => rule)).toEqual(["statement/key-rotated", "statement/revocation-new"]);
  expect(current.map(({ publicKey }) => publicKey)).toEqual([keys.next]);
  expect(news).toMatchObject({ revoked: [{ key: keys.author, since }] });
});

test("a key revokes itself, in a file next to the named statement", async () => {
  expect(await revoke("author", "--statement", "out.json")).toMatchObject({ code: 0 });
  expect(existsSync(project.path("out.keys.jsonl"))).toBe(true);
});

test.each<[string, () => Promise<unknown>, string]>([
  ["a second successor", () => rotate("author", "other"), "names another one"],
  ["a successor that was replaced", () => rotate("next", "author"), "cannot come back"],
  ["a revocation by a key that was replaced", () => revoke("author", "--revoked", "other.pub"), "has replaced"],
])("%s is refused, and nothing is written", async (_, run, said) => {
  await rotate("author", "next");
  await revoke("next", "--revoked", "next.pub");
  const before = readFileSync(project.path(HISTORY), "utf8");
  writeFileSync(project.path(HISTORY), `${before.split("\n")[0]}\n`);
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  expect(readFileSync(project.path(HISTORY), "utf8")).toBe(`${before.split("\n")[0]}\n`);
});

test("a rotation ends at its time, and a time must exist in the calendar", async () => {
  await rotate("author", "next", "--expires", "1d");
  const { problems } = follow(new Date(Date.now() + 2 * 86_400_000));
  expect(problems.map(({ rule }) => rule)).toEqual(["statement/expired"]);
  expect(await revoke("author", "--since", "2026-02-30T00:00:00Z")).toMatchObject({ code: 2 });
});

test.each([
  ["no history", "{}", "/payloadType"],
  ["a statement of another kind", "<html>", "agentprint.statement.keys.jsonl"],
])("%s is not written over", async (_, text, said) => {
  writeFileSync(project.path(HISTORY), text);
  expect(await rotate("author", "next")).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  expect(readFileSync(project.path(HISTORY), "utf8")).toBe(text);
});
