import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNoteVerifier } from "@agentprint/trail/checkpoint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadSignerKey, makeSignerKey } from "../src/index.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signer-key-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("an SQLite file gets a key next to it, once, which only its owner can read", () => {
  const url = `file:${join(folder, "trail.db")}`;
  const { signer, verifierKey } = loadSignerKey("example.org/log", { url });
  expect(statSync(join(folder, "trail.db.signer-key")).mode & 0o777).toBe(0o600);
  expect(loadSignerKey("example.org/log", { url }).signer.keyId).toBe(signer.keyId);
  expect(createNoteVerifier(verifierKey)).toMatchObject({ name: "example.org/log", keyId: signer.keyId });
});

test("a file that exists is left as it is", () => {
  const file = join(folder, "kept.key");
  expect(makeSignerKey(file, "example.org/log")).toBe(makeSignerKey(file, "example.org/other"));
});

test("where no file can be made the error says why", () => {
  expect(() => makeSignerKey(join(folder, "missing/own.key"), "example.org/log")).toThrow(
    expect.objectContaining({ code: "signer-key", message: expect.stringMatching(/cannot create .*: ENOENT/) }),
  );
});

test.each([
  ["of another name", { url: "sqlite::memory:", file: "named.key" }, /belongs to example.org\/named, expected other/],
  ["that is missing", { url: "sqlite::memory:", file: "missing.key" }, /there is no signer key at/],
  ["that cannot be read", { url: "sqlite::memory:", file: "." }, /cannot read the signer key at .*: EISDIR/],
  ["of a store that is no file", { url: "postgres://localhost/trail" }, /expected the path of a signer key file/],
])("a key %s is refused", (_name, place, message) => {
  makeSignerKey(join(folder, "named.key"), "example.org/named");
  const file = "file" in place ? { file: join(folder, place.file as string) } : {};
  expect(() => loadSignerKey("other", { ...place, ...file })).toThrow(
    expect.objectContaining({ code: "signer-key", message: expect.stringMatching(message) }),
  );
});
