import type { LockedKeys } from "@agentprint/mcp-lock";
import { author, NOW, newSigner, other } from "@agentprint/testing/statement/author";
import { describe, expect, test } from "vitest";
import { sealLine } from "../src/envelope.ts";
import { extendHistory, followOwnKeys } from "../src/extend-history.ts";
import { forgottenKeys } from "../src/forgotten-keys.ts";
import { followKeys } from "../src/key-history.ts";
import {
  createKeyStatement,
  type KeyChange,
  type KeyStatement,
  readKeyStatement,
  signKeyStatement,
} from "../src/key-statement.ts";
import type { StatementSigner } from "../src/keys.ts";

const next = newSigner();
const [ISSUED, EXPIRES] = [new Date("2026-05-01T00:00:00Z"), new Date("2027-05-01T00:00:00Z")];
const facts = { now: NOW, keys: [author.publicKey] };

describe("a statement about a key", () => {
  const rotated = createKeyStatement({
    key: author.publicKey,
    successor: next.publicKey,
    issued: ISSUED,
    expires: EXPIRES,
  });
  const revoked = createKeyStatement({ key: author.publicKey, since: ISSUED, issued: NOW, previous: "0".repeat(64) });

  test("names its keys by their digests", () => {
    expect(rotated.subject.map(({ digest }) => digest["sha256"])).toEqual([author.keyId, next.keyId]);
    expect(revoked).toMatchObject({ subject: [{ name: "key" }], predicate: { previous: { sha256: "0".repeat(64) } } });
    expect(readKeyStatement({ payload: Buffer.from(JSON.stringify(revoked)) })).toEqual(revoked);
  });

  const { predicate } = rotated;
  test.each<[string, object, string]>([
    ["another key as subject", { ...rotated, subject: revoked.subject }, "/subject"],
    [
      "the digest of another key",
      { ...rotated, subject: [rotated.subject[0], { ...rotated.subject[1], digest: { sha256: "0".repeat(64) } }] },
      "/subject",
    ],
    ["another predicate", { ...rotated, predicateType: "https://agentprint.invalid/statement/v1" }, "/predicateType"],
    [
      "a key with spaces",
      { ...rotated, predicate: { ...predicate, successor: ` ${next.publicKey}` } },
      "/predicate/successor",
    ],
    ["no key", { ...rotated, predicate: { ...predicate, successor: "" } }, "/predicate/successor"],
    [
      "an end before its beginning",
      { ...rotated, predicate: { ...predicate, expires: predicate.issued } },
      "/predicate/expires",
    ],
    ["no time of a revocation", { ...revoked, predicate: { ...revoked.predicate, since: "May" } }, "/predicate/since"],
  ])("with %s is neither signed nor read", (_, statement, path) => {
    const error = expect.objectContaining({ code: "invalid-statement", path });
    expect(() => signKeyStatement(statement as KeyStatement, author)).toThrow(error);
    const line = sealLine(Buffer.from(JSON.stringify(statement)), author);
    expect(followKeys(line, facts).problems).toMatchObject([{ rule: "statement/unreadable", path: `/0${path}` }]);
  });
});

describe("an author", () => {
  const change = { key: author.publicKey, issued: NOW };
  const rotated = { ...change, successor: next.publicKey, expires: EXPIRES };

  test("extends the history, which consumers follow", () => {
    const first = extendHistory("", rotated, author);
    const text = extendHistory(first, { ...change, since: ISSUED }, next);
    expect(text.startsWith(first)).toBe(true);
    expect(followKeys(text, facts).problems.map(({ rule }) => rule)).toEqual([
      "statement/key-rotated",
      "statement/revocation-new",
    ]);
    expect(followOwnKeys(text, next, NOW).former).toMatchObject([{ key: { publicKey: author.publicKey } }]);
  });

  test.each<[string, KeyChange, StatementSigner, string]>([
    ["a second successor", { ...rotated, successor: other.publicKey }, author, "/1/predicate/key"],
    ["a key that was replaced", { ...change, since: ISSUED }, author, "/1/signatures"],
    ["the key of someone else", { ...rotated, key: other.publicKey }, next, "/1/predicate/key"],
  ])("cannot extend it by %s", (_, given, signer, path) => {
    const history = extendHistory("", rotated, author);
    const error = expect.objectContaining({ code: "invalid-history", path });
    expect(() => extendHistory(history, given, signer)).toThrow(error);
  });
});

describe("a lock that remembers less of keys", () => {
  const keys: LockedKeys = {
    server: "notes",
    history: ["0".repeat(64), "1".repeat(64)],
    successors: [{ key: author.publicKey, successor: next.publicKey }],
    revoked: [{ key: author.publicKey, since: "2026-05-01T00:00:00Z" }],
  };

  test("is a finding of each server", () => {
    expect(forgottenKeys([keys], [keys], "agentprint.lock")).toEqual([]);
    expect(forgottenKeys(undefined, [keys], "agentprint.lock")).toEqual([]);
    expect(forgottenKeys([keys], undefined, "agentprint.lock")).toMatchObject([
      { rule: "statement/keys-forgotten", place: { server: "notes", location: { file: "agentprint.lock" } } },
    ]);
  });

  test.each<[string, Partial<LockedKeys>, string]>([
    ["a revocation", { revoked: [] }, "(revoked since "],
    ["a successor", { successors: [{ key: author.publicKey, successor: other.publicKey }] }, "replaces"],
    ["a statement", { history: keys.history.slice(1) }, "the author's statements about keys"],
  ])("such as %s says which", (_, less, said) => {
    const [finding, ...rest] = forgottenKeys([keys], [{ ...keys, ...less }], "agentprint.lock");
    expect(finding?.message).toContain(said);
    expect(rest).toEqual([]);
  });
});
