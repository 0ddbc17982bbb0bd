import { sha256Hex } from "@agentprint/canonical-json";
import type { LockedKeys } from "@agentprint/mcp-lock";
import { author, NOW, newSigner, opened, other, statementOf } from "@agentprint/testing/statement/author";
import { describe, expect, test } from "vitest";
import { type FollowedKeys, followKeys, keyHistoryPlace } from "../src/key-history.ts";
import type { KeyFacts } from "../src/key-ring.ts";
import { createKeyStatement, type KeyStatementParts, signKeyStatement } from "../src/key-statement.ts";
import type { StatementSigner } from "../src/keys.ts";
import { signStatement } from "../src/open-statement.ts";
import { proveByHistory } from "../src/prove-envelope.ts";
import { acceptedOf } from "../src/prove-statement.ts";
import { before } from "./example-world.ts";

const [next, thief] = [newSigner(), newSigner()];
const [ISSUED, EXPIRES] = [new Date("2026-05-01T00:00:00Z"), new Date("2027-05-01T00:00:00Z")];

type Said = { by: StatementSigner } & Partial<Record<"issued" | "expires", Date>> & { previous?: string } & (
    | { key: StatementSigner; successor: StatementSigner }
    | { key: StatementSigner; since: Date }
  );

/** Returns a history of statements, each of which follows the previous one. */
function historyOf(...said: readonly Said[]): string {
  let previous: string | undefined;
  return said
    .map((each) => {
      const { by, key, issued = ISSUED, expires = EXPIRES } = each;
      const common = { key: key.publicKey, issued, previous: each.previous ?? previous };
      const rest = "since" in each ? { since: each.since } : { successor: each.successor.publicKey, expires };
      const statement = createKeyStatement({ ...common, ...rest } as KeyStatementParts);
      const line = signKeyStatement(statement, by);
      previous = sha256Hex(Buffer.from(JSON.parse(line).payload, "base64"));
      return line;
    })
    .join("");
}

const rotation = (key: StatementSigner, successor: StatementSigner, rest: Partial<Said> = {}): Said =>
  ({ by: key, key, successor, ...rest }) as Said;
const revocation = (by: StatementSigner, key: StatementSigner): Said => ({ by, key, since: ISSUED });

const facts: KeyFacts = { now: NOW, keys: [author.publicKey] };
const follow = (said: readonly Said[], more: Partial<KeyFacts> = {}) =>
  followKeys(historyOf(...said), { ...facts, ...more });
const rulesOf = ({ problems }: Pick<FollowedKeys, "problems">) =>
  problems.map(({ rule }) => rule.slice("statement/".length));
const keysOf = ({ current }: FollowedKeys) => current.map(({ publicKey }) => publicKey);
/** Returns what a lock remembers once a person has accepted a history. */
const rememberedOf = (said: readonly Said[], more: Partial<KeyFacts> = {}) =>
  follow(said, more).news as Omit<LockedKeys, "server">;

describe("a history of keys", () => {
  test("that is not there changes nothing", () => {
    const followed = followKeys(undefined, facts);
    expect(followed).toMatchObject({ problems: [], former: [] });
    expect(keysOf(followed)).toEqual([author.publicKey]);
    expect(followed).not.toHaveProperty("news");
  });

  test("lies next to the statement", () => {
    expect(keyHistoryPlace("a/agentprint.statement.json")).toBe("a/agentprint.statement.keys.jsonl");
    expect(keyHistoryPlace("https://a.example/s.json?x=.json")).toBe("https://a.example/s.keys.jsonl?x=.json");
    expect(keyHistoryPlace("statement")).toBe("statement.keys.jsonl");
  });

  test("with a rotation has a finding until it is accepted, and binds from then on", () => {
    const said = [rotation(author, next)];
    const first = follow(said);
    expect(rulesOf(first)).toEqual(["key-rotated"]);
    expect(keysOf(first)).toEqual([author.publicKey, next.publicKey]);
    const remembered = rememberedOf(said);
    expect(remembered).toMatchObject({
      successors: [{ key: author.publicKey, successor: next.publicKey }],
      revoked: [],
    });
    for (const again of [follow(said, { remembered }), follow(said, { keys: [author.publicKey, next.publicKey] })]) {
      expect(rulesOf(again)).toEqual([]);
      expect(keysOf(again)).toEqual([next.publicKey]);
      expect(again.former).toMatchObject([{ problem: { rule: "statement/key-succeeded" } }]);
    }
  });

  test("with a revocation binds at once, and also where it is held back later", () => {
    const said = [revocation(author, author)];
    const first = follow(said);
    expect(rulesOf(first)).toEqual(["revocation-new"]);
    expect(keysOf(first)).toEqual([]);
    const held = followKeys(undefined, { ...facts, remembered: rememberedOf(said) });
    expect(rulesOf(held)).toEqual(["keys-rolled-back"]);
    expect(keysOf(held)).toEqual([]);
    expect(keysOf(followKeys(undefined, { ...facts, revoked: rememberedOf(said).revoked }))).toEqual([]);
  });

  test("can be continued by the accepted key, over several rotations", () => {
    const last = newSigner();
    const said = [rotation(author, next), revocation(next, author), rotation(next, last)];
    const followed = follow(said, { remembered: rememberedOf(said.slice(0, 1)) });
    expect(rulesOf(followed)).toEqual(["revocation-new", "key-rotated"]);
    expect(keysOf(followed)).toEqual([next.publicKey, last.publicKey]);
    expect(keysOf(follow(said, { remembered: rememberedOf(said) }))).toEqual([last.publicKey]);
  });

  test.each<[string, Said[], string[]]>([
    [
      "a rotation that the stolen key signed after its revocation",
      [revocation(author, author), rotation(author, thief)],
      ["revocation-new", "key-revoked"],
    ],
    ["a second successor", [rotation(author, next), rotation(author, thief)], ["key-rotated", "keys-forked"]],
    ["a key that comes back", [rotation(author, next), rotation(next, author)], ["key-rotated", "key-cycle"]],
    ["a key that follows itself", [rotation(author, author)], ["key-cycle"]],
    [
      "a revoked key that comes back",
      [rotation(author, next), revocation(next, author), rotation(next, author)],
      ["key-rotated", "revocation-new", "key-cycle"],
    ],
    ["a rotation that has expired", [rotation(author, next, { expires: new Date("2026-05-02") })], ["expired"]],
    ["a rotation of the future", [rotation(author, next, { issued: new Date("2026-07-01") })], ["issued-later"]],
    [
      "a revocation of the future",
      [{ ...revocation(author, author), issued: new Date("2026-07-01") }],
      ["issued-later"],
    ],
    ["a rotation that another key signed", [rotation(other, next, { by: author })], ["wrong-key"]],
    ["a rotation that nobody known signed", [rotation(thief, next)], ["unknown-key"]],
    ["a statement behind another one", [rotation(author, next, { previous: "0".repeat(64) })], ["keys-forked"]],
  ])("with %s grants nothing to it", (_, said, rules) => {
    const followed = follow(said);
    expect(rulesOf(followed)).toEqual(rules);
    expect(keysOf(followed)).not.toContain(thief.publicKey);
    expect(followed).not.toHaveProperty("news");
  });

  test("is not replaced by another one, nor by its beginning", () => {
    const said = [rotation(author, next), revocation(next, author)];
    const remembered = rememberedOf(said);
    expect(rulesOf(follow(said.slice(0, 1), { remembered }))).toEqual(["keys-rolled-back"]);
    const forked = follow([rotation(author, thief), revocation(thief, next)], { remembered });
    expect(rulesOf(forked)).toEqual(["keys-forked"]);
    expect(keysOf(forked)).toEqual([next.publicKey]);
    expect(rulesOf(follow([...said, rotation(author, thief)], { remembered }))).toEqual(["keys-forked"]);
  });

  test("proves what the lock remembers: a successor that someone wrote there by hand does not count", () => {
    const said = [rotation(thief, thief)];
    const history = [sha256Hex(Buffer.from(JSON.parse(historyOf(...said)).payload, "base64"))];
    const successors = [{ key: author.publicKey, successor: thief.publicKey }];
    const followed = follow(said, { remembered: { history, successors, revoked: [] } });
    expect(rulesOf(followed)).toContain("keys-forked");
  });

  test("stays valid after its expiry if it was accepted", () => {
    const said = [rotation(author, next)];
    const late = follow(said, { remembered: rememberedOf(said), now: new Date("2028-01-01") });
    expect(rulesOf(late)).toEqual([]);
    expect(keysOf(late)).toEqual([next.publicKey]);
  });

  test("cannot revoke the keys of others, and what nobody known appends is not remembered", () => {
    expect(rulesOf(follow([revocation(author, thief)]))).toEqual([]);
    const said = [rotation(author, next), rotation(thief, other)];
    expect(rulesOf(follow(said))).toEqual(["key-rotated", "unknown-key"]);
    expect(rememberedOf(said).history).toHaveLength(1);
  });

  test("of a key that is named later is read again from its beginning", () => {
    const said = [revocation(other, other), rotation(author, next)];
    const remembered = rememberedOf(said);
    expect(remembered.history).toHaveLength(2);
    const followed = follow(said, { remembered, keys: [author.publicKey, other.publicKey] });
    expect(rulesOf(followed)).toEqual(["revocation-new"]);
    expect(keysOf(followed)).toEqual([next.publicKey]);
  });

  test.each<[string, string, string]>([
    ["no envelope", "{}\n", "unreadable"],
    [
      "the statement of a release",
      `${JSON.stringify(JSON.parse(signStatement(statementOf(before, "1.2.0"), author)))}\n`,
      "unreadable",
    ],
    ["65 lines", "{}\n".repeat(65), "unreadable"],
    ["more than 1 MiB", "x".repeat(2 ** 20 + 1), "unreadable"],
    [
      "a changed payload",
      historyOf(rotation(author, next)).replace(/"payload":"[^"]*"/, '"payload":"e30="'),
      "invalid-signature",
    ],
  ])("with %s is a finding", (_, text, rule) => {
    expect(rulesOf(followKeys(text, facts))).toEqual([rule]);
    expect(keysOf(followKeys(Buffer.from(text), facts))).toEqual([author.publicKey]);
  });
});

describe("a statement of a release", () => {
  const statement = statementOf(before, "1.2.0");
  const proof = { now: NOW, served: before };
  const said = [rotation(author, next)];
  const remembered = rememberedOf(said);

  test("holds by the successor, and not by the key that was replaced", () => {
    const followed = follow(said, { remembered });
    expect(proveByHistory(signStatement(statement, next), followed, proof).problems).toEqual([]);
    expect(rulesOf(proveByHistory(signStatement(statement, author), followed, proof))).toEqual(["key-succeeded"]);
    expect(rulesOf(proveByHistory(signStatement(statement, thief), followed, proof))).toEqual(["wrong-key"]);
  });

  test("that was accepted stays valid if its key was replaced, and not if it was revoked", () => {
    const kept = { ...proof, accepted: acceptedOf(opened(statement)) };
    const envelope = signStatement(statement, author);
    expect(proveByHistory(envelope, follow(said, { remembered }), kept).problems).toEqual([]);
    const revoked = follow([...said, revocation(next, author)], { remembered });
    expect(rulesOf(proveByHistory(envelope, revoked, kept))).toEqual(["key-revoked"]);
  });

  test("counts if a current key signed it in addition to a revoked one", () => {
    const followed = follow([revocation(author, author)], { keys: [author.publicKey, other.publicKey] });
    const [one, two] = [author, other].map((signer) => JSON.parse(signStatement(statement, signer)));
    const both = { ...one, signatures: [...one.signatures, ...two.signatures] };
    expect(proveByHistory(JSON.stringify(both), followed, proof).problems).toEqual([]);
  });
});
