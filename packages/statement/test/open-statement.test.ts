import { canonicalize } from "@agentprint/canonical-json";
import { author, opened, statementOf, trusted } from "@agentprint/testing/statement/author";
import { expect, test } from "vitest";
import { sealEnvelope } from "../src/envelope.ts";
import { openStatement, signStatement } from "../src/open-statement.ts";
import { after, before } from "./example-world.ts";

const FIRST = statementOf(before, "1.2.0");
const NEXT = statementOf(after, "2.0.0", {
  before: { entry: before, version: "1.2.0", statement: opened(FIRST) },
  aliases: new Map([["look", "read"]]),
  subjects: [{ name: "pkg:npm/files@2.0.0", digest: { sha256: "00".repeat(32) } }],
});

test("a statement has definitions, verdict, the digest of the statement before, aliases and times", () => {
  expect(NEXT).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "files", digest: { tdh1: after.setHashes[0]?.tools } }, { name: "pkg:npm/files@2.0.0" }],
    predicate: {
      server: { name: "files", version: "2.0.0" },
      definitions: {
        client: "bare",
        sessions: [{ session: "legacy/bare", protocolVersion: "2025-06-18" }],
        tools: [{ name: "read", hash: after.tools[0]?.digests.wire, layers: { hints: after.tools[0]?.digests.hints } }],
      },
      verdict: { level: "major", against: { version: "1.2.0", statement: { sha256: opened(FIRST).digest } } },
      aliases: { look: "read" },
      issued: "2026-01-31T00:00:00Z",
    },
  });
  expect(FIRST.predicate).not.toHaveProperty("verdict");
});

test("what was signed opens again", () => {
  expect(opened(NEXT)).toMatchObject({ statement: NEXT, keyId: author.keyId });
  expect(signStatement(NEXT, author)).toBe(signStatement(structuredClone(NEXT), author));
});

test("members that nobody knows are ignored, as in-toto asks", () => {
  const payload = canonicalize({ ...FIRST, more: 1, predicate: { ...FIRST.predicate, more: 1 } });
  expect(openStatement(sealEnvelope(new TextEncoder().encode(payload), author), trusted).statement).toEqual(FIRST);
});

const { predicate } = FIRST;
test.each([
  ["no JSON", "{", ""],
  ["a text", '"x"', ""],
  ["another type", { ...FIRST, _type: "https://in-toto.io/Statement/v0.1" }, "/_type"],
  ["another predicate", { ...FIRST, predicateType: "https://slsa.dev/provenance/v1" }, "/predicateType"],
  ["no subject", { ...FIRST, subject: [] }, "/subject"],
  ["a subject without name", { ...FIRST, subject: [{ digest: { tdh1: "00" } }] }, "/subject/0"],
  ["a subject without digest", { ...FIRST, subject: [{ name: "x", digest: {} }] }, "/subject/0/digest"],
  ["a digest in capitals", { ...FIRST, subject: [{ name: "x", digest: { tdh1: "AA" } }] }, "/subject/0/digest/tdh1"],
  ["no definitions", { ...FIRST, predicate: { ...predicate, definitions: null } }, "/predicate/definitions"],
  [
    "a day that no month has",
    { ...FIRST, predicate: { ...predicate, issued: "2026-02-30T00:00:00Z" } },
    "/predicate/issued",
  ],
  ["another zone", { ...FIRST, predicate: { ...predicate, issued: "2026-01-31T00:00:00+01:00" } }, "/predicate/issued"],
  [
    "an end before its beginning",
    { ...FIRST, predicate: { ...predicate, expires: predicate.issued } },
    "/predicate/expires",
  ],
])("a payload with %s is refused, signed as it is", (_, value, path) => {
  const payload = new TextEncoder().encode(typeof value === "string" ? value : canonicalize(value));
  expect(() => openStatement(sealEnvelope(payload, author), trusted)).toThrow(
    expect.objectContaining({ code: "invalid-statement", path }),
  );
});

test("nothing is signed that could not be read", () => {
  expect(() => signStatement({ ...FIRST, subject: [] }, author)).toThrow(
    expect.objectContaining({ code: "invalid-statement", path: "/subject" }),
  );
});
