import { author, NOW, opened, other, statementOf } from "@agentprint/testing/statement/author";
import { describe, expect, test } from "vitest";
import { StatementError, type StatementErrorCode } from "../src/errors.ts";
import { createKeyStatement, signKeyStatement } from "../src/key-statement.ts";
import { signStatement } from "../src/open-statement.ts";
import { type AuthorDemands, type AuthorFacts, type AuthorTexts, proveAuthor } from "../src/prove-author.ts";
import { after, before } from "./example-world.ts";

const FIRST = statementOf(before, "1.2.0");
const bytes = (text: string) => new TextEncoder().encode(text);
const texts: AuthorTexts = {
  place: "a/agentprint.statement.json",
  statement: bytes(signStatement(FIRST, author)),
  history: undefined,
  isFound: false,
};
const demands: AuthorDemands = { keys: [author.publicKey] };
const facts: AuthorFacts = { now: NOW, served: before, locked: before, statements: [], authorKeys: [] };
const prove = (more: Partial<AuthorTexts>, given: Partial<AuthorDemands> = {}, known: Partial<AuthorFacts> = {}) =>
  proveAuthor({ ...texts, ...more }, { ...demands, ...given }, { ...facts, ...known });
const levels = ({ findings }: ReturnType<typeof prove>) => findings.map(({ rule, level }) => `${level} ${rule}`);

test("a statement that holds is kept, and is no finding", () => {
  expect(prove({})).toMatchObject({ findings: [], held: { server: before.name, version: "1.2.0" }, isPatch: false });
  expect(prove({ isFound: true }).findings).toEqual([]);
});

describe("a statement that nobody signed who counts", () => {
  const stranger = bytes(signStatement(FIRST, other));
  test.each([stranger, bytes("<html>"), bytes("{}")])(
    "is an error where its place is named, and a note where it was found",
    (statement) => {
      expect(levels(prove({ statement }))[0]).toMatch(/^error statement\/(?:wrong-key|unreadable)$/);
      expect(levels(prove({ statement, isFound: true }))).toEqual([
        "note statement/unknown-key",
        "note statement/missing",
      ]);
      expect(levels(prove({ statement, isFound: true }, { required: true }))).toEqual([
        "note statement/unknown-key",
        "error statement/missing",
      ]);
    },
  );
});

describe("a statement that a function opens", () => {
  const open = () => opened(FIRST);
  const refuses = (code: StatementErrorCode) => () => {
    throw new StatementError(code, "the bundle does not count", { expected: "another one" });
  };

  test("is kept, whatever the keys are", () => {
    expect(prove({ open }, { keys: [] })).toMatchObject({ findings: [], held: { version: "1.2.0" } });
    expect(prove({ open }).keys).toBeUndefined();
    expect(
      prove({ open, reference: { address: "https://a.example/s", sha256: "0", tdh1: [] } }).findings,
    ).toMatchObject([{ rule: "statement/wrong-subject" }]);
  });

  test.each(["wrong-identity", "untrusted-certificate", "not-logged", "invalid-envelope"] as const)(
    "with %s is an error where its place is named, and a note where it was found",
    (code) => {
      const open = refuses(code);
      const rule = code === "invalid-envelope" ? "unreadable" : code;
      expect(levels(prove({ open }))).toEqual([`error statement/${rule}`]);
      expect(levels(prove({ open, isFound: true }))).toEqual(["note statement/unknown-key", "note statement/missing"]);
    },
  );
});

test("a history that cannot be read is an error in addition to the statement's", () => {
  const { findings, held } = prove({ history: "HTTP 500" });
  expect(findings).toMatchObject([
    { rule: "statement/unreadable", place: { location: { file: "a/agentprint.statement.keys.jsonl" } } },
  ]);
  expect(held).toBeUndefined();
});

describe("a rotation that nobody accepted", () => {
  const change = { key: author.publicKey, issued: NOW };
  const rotation = createKeyStatement({ ...change, successor: other.publicKey, expires: new Date("2027-01-01") });
  const history = bytes(signKeyStatement(rotation, author));
  const statement = bytes(signStatement(FIRST, other));

  test("is learned, and grants the successor nothing", () => {
    const rotated = prove({ statement, history }, { accept: "patch" });
    expect(levels(rotated)).toEqual(["warning statement/key-rotated", "error statement/wrong-key"]);
    expect(rotated.findings[1]?.message).toContain(`${other.publicKey} signed`);
    expect(rotated.keys).toMatchObject({ isRotated: true, learned: { server: before.name } });
    expect(rotated).not.toHaveProperty("held");
    expect(rotated.isPatch).toBe(false);
  });

  test.each([false, true])("is reported even next to a statement that was found (required: %s)", (required) => {
    const rotated = prove({ statement, history, isFound: true }, { required });
    expect(levels(rotated)).toEqual([
      "warning statement/key-rotated",
      "note statement/unknown-key",
      `${required ? "error" : "note"} statement/missing`,
    ]);
    expect(rotated.keys?.isRotated).toBe(true);
    expect(rotated).not.toHaveProperty("held");
  });

  test("leaves the replaced key as it was, and counts once it is accepted or named", () => {
    expect(prove({ history }).held).toBeDefined();
    const { learned } = prove({ statement, history }).keys ?? {};
    expect(learned).toBeDefined();
    const known = { authorKeys: learned ? [learned] : [] };
    expect(prove({ statement, history }, {}, known)).toMatchObject({ findings: [], held: { version: "1.2.0" } });
    expect(prove({ statement, history }, { keys: [author.publicKey, other.publicKey] }).held).toBeDefined();
  });
});

test("what any server revoked counts", () => {
  const revoked = [{ key: author.publicKey, since: "2026-05-01T00:00:00Z" }];
  const elsewhere = { server: "elsewhere", history: ["0".repeat(64)], successors: [], revoked };
  expect(levels(prove({}, {}, { authorKeys: [elsewhere] }))).toEqual(["error statement/key-revoked"]);
});

test("a package that is there must be the statement's", () => {
  const subjects = [{ name: "pkg:npm/files@1.2.0", digest: { sha512: "00".repeat(64) } }];
  const statement = bytes(signStatement(statementOf(before, "1.2.0", { subjects }), author));
  const withIntegrity = (integrity: string) => {
    const artifact = { pointer: "/args/0", kind: "npm", name: "files", version: "1.2.0", integrity } as const;
    return levels(prove({ statement }, {}, { served: { ...before, artifacts: [artifact] } }));
  };
  expect(withIntegrity(`sha512-${"A".repeat(86)}==`)).toEqual([]);
  expect(withIntegrity("sha1-AAAA")).toEqual([]);
  for (const other of [`sha512-${"B".repeat(86)}==`, "sha512-?"]) {
    expect(withIntegrity(other)).toEqual(["error statement/wrong-subject"]);
  }
  expect(withIntegrity(`sha512:${"00".repeat(64)}`)).toEqual([]);
});

test("each file of a release of Python has to be one of the statement, where that names files", () => {
  const [one, two] = ["1", "2"].map((digit) => digit.repeat(64));
  const stated = (...digests: (string | undefined)[]) => {
    const subjects = digests.map((sha256 = "") => ({ name: "files", digest: { sha256 } }));
    return bytes(signStatement(statementOf(before, "1.2.0", { subjects }), author));
  };
  const artifact = { pointer: "/args/0", kind: "pypi", name: "files", version: "1.2.0" } as const;
  const proven = (statement: Uint8Array, files?: Record<string, string>) =>
    levels(prove({ statement }, {}, { served: { ...before, artifacts: [{ ...artifact, ...(files && { files }) }] } }));
  const files = { "files.whl": `sha256:${one}`, "files.tar.gz": `sha256:${two}` };
  for (const statement of [stated(one, two), stated()]) expect(proven(statement, files)).toEqual([]);
  expect(proven(stated(one), files)).toEqual(["error statement/wrong-subject"]);
  expect(proven(stated(one))).toEqual([]);
});

test("a server.json names this statement, and these tools", () => {
  const tdh1 = before.setHashes.map(({ tools }) => tools);
  const reference = { address: "https://example.com/s.json", sha256: opened(FIRST).digest, tdh1 };
  expect(prove({ reference }).findings).toEqual([]);
  const others = [{ sha256: "0".repeat(64) }, { tdh1: after.setHashes.map(({ tools }) => tools) }];
  for (const other of others) {
    expect(levels(prove({ reference: { ...reference, ...other } }))).toEqual(["error statement/wrong-subject"]);
  }
});
