import { canonicalize } from "@agentprint/canonical-json";
import { author, other, statementOf, trusted } from "@agentprint/testing/statement/author";
import { expect, test } from "vitest";
import {
  type Attestation,
  createAttestation,
  isAttested,
  openAttestation,
  signAttestation,
} from "../src/attestation.ts";
import { sealEnvelope } from "../src/envelope.ts";
import { openStatement, signStatement } from "../src/open-statement.ts";
import { after, before } from "./example-world.ts";

const REVIEWED = createAttestation({ entry: before, issued: new Date("2026-01-31T12:00:00.5Z"), note: "looked" });

test("an attestation names the entry, its set hash, the time and the words", () => {
  expect(REVIEWED).toMatchObject({
    subject: [
      { name: "files", digest: { sha256: before.digest } },
      { name: "files", digest: { tdh1: before.setHashes[0]?.tools } },
    ],
    predicate: { issued: "2026-01-31T12:00:00Z", note: "looked" },
  });
  expect(createAttestation({ entry: before, issued: new Date() }).predicate).not.toHaveProperty("note");
});

test("what a reviewer signed opens with the key of the reviewer alone", () => {
  const envelope = signAttestation(REVIEWED, author);
  expect(openAttestation(envelope, trusted)).toEqual({ attestation: REVIEWED, keyId: author.keyId });
  expect(() => openAttestation(signAttestation(REVIEWED, other), trusted)).toThrow(
    expect.objectContaining({ code: "wrong-key" }),
  );
  const { signatures } = JSON.parse(envelope);
  const changed = JSON.stringify({
    ...JSON.parse(signAttestation({ ...REVIEWED, predicate: { issued: "2026-02-01T00:00:00Z" } }, other)),
    signatures,
  });
  expect(() => openAttestation(changed, trusted)).toThrow(expect.objectContaining({ code: "invalid-signature" }));
});

test("the statement of an author is no attestation, and an attestation no statement of an author", () => {
  const refused = expect.objectContaining({ code: "invalid-statement", path: "/predicateType" });
  const release = signStatement(statementOf(before, "1.2.0", { subjects: [] }), author);
  expect(() => openAttestation(release, trusted)).toThrow(expect.objectContaining({ code: "invalid-statement" }));
  expect(() => openStatement(signAttestation(REVIEWED, author), trusted)).toThrow(refused);
});

test("an attestation is of the entry with its name, digest and set hashes", () => {
  const [set] = before.setHashes;
  const more = [...before.setHashes, { ...after.setHashes[0], tools: "0".repeat(64), prompts: "0".repeat(64) }];
  expect(isAttested(REVIEWED, before)).toBe(true);
  expect(isAttested(REVIEWED, after)).toBe(false);
  expect(isAttested(createAttestation({ entry: { ...before, setHashes: more }, issued: new Date() }), before)).toBe(
    false,
  );
  expect(isAttested(REVIEWED, { ...before, name: "other" })).toBe(false);
  expect(isAttested(REVIEWED, { ...before, digest: after.digest })).toBe(false);
  expect(isAttested(REVIEWED, { ...before, setHashes: more })).toBe(false);
  expect(isAttested(REVIEWED, { ...before, setHashes: after.setHashes })).toBe(false);
  expect(isAttested(REVIEWED, { ...before, setHashes: set ? [set, set] : [] })).toBe(true);
});

const { subject, predicate } = REVIEWED;
const [entry, set] = subject;
test.each<[string, unknown, string]>([
  ["no set hash", { ...REVIEWED, subject: [entry] }, "/subject/1"],
  ["no digest of the entry", { ...REVIEWED, subject: [set, set] }, "/subject/0/digest/sha256"],
  ["17 set hashes", { ...REVIEWED, subject: [entry, ...Array(17).fill(set)] }, "/subject"],
  ["two names", { ...REVIEWED, subject: [entry, { ...set, name: "other" }] }, "/subject"],
  ["an empty note", { ...REVIEWED, predicate: { ...predicate, note: "" } }, "/predicate/note"],
  ["a note of 1,001 letters", { ...REVIEWED, predicate: { ...predicate, note: "x".repeat(1001) } }, "/predicate/note"],
  ["no time", { ...REVIEWED, predicate: {} }, "/predicate/issued"],
])("with %s it is neither signed nor read", (_, value, path) => {
  const refused = expect.objectContaining({ code: "invalid-statement", path });
  expect(() => signAttestation(value as Attestation, author)).toThrow(refused);
  const payload = new TextEncoder().encode(canonicalize(JSON.parse(JSON.stringify(value))));
  expect(() => openAttestation(sealEnvelope(payload, author), trusted)).toThrow(refused);
});
