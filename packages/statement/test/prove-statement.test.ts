import type { LockedServer } from "@agentprint/mcp-lock";
import { lockServer } from "@agentprint/mcp-lock";
import { entryOf, tool } from "@agentprint/testing/lock/locked-server";
import { answersOf } from "@agentprint/testing/lock/offer";
import { NOW, opened, statementOf } from "@agentprint/testing/statement/author";
import { describe, expect, test } from "vitest";
import type { StatementParts } from "../src/create-statement.ts";
import { StatementError } from "../src/errors.ts";
import { problemOf, statementFindings } from "../src/findings.ts";
import { acceptedOf, proveStatement, type StatementFacts } from "../src/prove-statement.ts";
import type { OpenedStatement } from "../src/statement.ts";
import { after, before } from "./example-world.ts";

const FIRST = opened(statementOf(before, "1.2.0"));
const SECOND = statement(after, "2.0.0", { before: { entry: before, version: "1.2.0", statement: FIRST } });

function statement(entry: LockedServer, version: string, rest: Partial<StatementParts> = {}) {
  return opened(statementOf(entry, version, { issued: new Date("2026-03-01"), ...rest }));
}

type TestFacts = Partial<Omit<StatementFacts, "accepted">> & { readonly accepted?: OpenedStatement };

function rules(from: typeof FIRST, { accepted, ...facts }: TestFacts): string[] {
  const before = accepted && { accepted: acceptedOf(accepted) };
  return proveStatement(from, { now: NOW, served: after, ...facts, ...before }).map(({ rule }) =>
    rule.replace("statement/", ""),
  );
}

test("a true statement has no problem", () => {
  expect(rules(SECOND, {})).toEqual([]);
  expect(rules(SECOND, { locked: before, accepted: FIRST })).toEqual([]);
  expect(rules(SECOND, { locked: after, accepted: SECOND })).toEqual([]);
});

test("a time that has passed or is to come is a problem, except for five minutes", () => {
  expect(rules(SECOND, { now: new Date("2027-01-31T00:00:00Z") })).toEqual(["expired"]);
  expect(rules(SECOND, { now: new Date("2026-02-28T23:54:59Z") })).toEqual(["issued-later"]);
  expect(rules(SECOND, { now: new Date("2026-02-28T23:55:00Z") })).toEqual([]);
});

describe("compared with the statement that was accepted before", () => {
  test("an older statement is replayed", () => {
    expect(rules(FIRST, { served: before, accepted: SECOND })).toEqual(["replayed"]);
  });

  test("a newer statement of an older version is a roll-back", () => {
    const later = statement(before, "1.9.9", { issued: new Date("2026-04-01") });
    expect(rules(later, { served: before, accepted: SECOND })).toEqual(["rolled-back"]);
    const odd = statement(before, "next", { issued: new Date("2026-04-01") });
    expect(rules(odd, { served: before, accepted: SECOND })).toEqual(["rolled-back"]);
  });

  test("the version may be renewed, but not mean something else", () => {
    const issued = new Date("2026-04-01");
    expect(rules(statement(after, "2.0.0", { issued }), { accepted: SECOND })).toEqual([]);
    expect(rules(statement(before, "2.0.0", { issued }), { served: before, accepted: SECOND })).toEqual([
      "republished",
    ]);
    const odd = statement(after, "next");
    expect(rules(statement(after, "next", { issued }), { accepted: odd })).toEqual([]);
  });

  test("its digest is the link's, if both are about one version", () => {
    const renewed = opened(statementOf(before, "1.2.0", { issued: new Date("2026-02-01") }));
    expect(rules(SECOND, { accepted: renewed })).toEqual(["unlinked"]);
    const without = statement(after, "2.0.0", { before: { entry: before, version: "1.2.0" } });
    expect(rules(without, { accepted: FIRST })).toEqual(["unlinked"]);
    const skipping = statement(after, "2.0.0", { before: { entry: before, version: "1.9.0" } });
    expect(rules(skipping, { accepted: FIRST })).toEqual([]);
  });

  test("other definitions of that version are a lie", () => {
    const lying = statement(after, "2.0.0", { before: { entry: after, version: "1.2.0", statement: FIRST } });
    expect(rules(lying, { accepted: FIRST })).toEqual(["lying-verdict"]);
  });
});

test("the subject is the set hash that is served, and the package where both have its digest", () => {
  expect(rules(SECOND, { served: before })).toEqual(["wrong-subject", "definitions-differ"]);
  const subjects = [{ name: "pkg:npm/files@2.0.0", digest: { sha512: "00".repeat(64) } }];
  const beside = statement(after, "2.0.0", { subjects });
  expect(rules(beside, { digests: { sha512: "00".repeat(64), sha256: "11".repeat(32) } })).toEqual([]);
  expect(rules(beside, { digests: { sha512: "11".repeat(64) } })).toEqual(["wrong-subject"]);
  expect(rules(beside, { digests: { sha512: ["00".repeat(64)] } })).toEqual([]);
  expect(rules(beside, { digests: { sha512: ["00".repeat(64), "11".repeat(64)] } })).toEqual(["wrong-subject"]);
});

test("each definition is compared in the sessions that were visited, and named", () => {
  const offer = answersOf([tool("read")], { prompts: [{ name: "ask" }], resources: [{ uri: "a:b", name: "b" }] });
  const served = lockServer("files", offer);
  const bare = entryOf([tool("read"), tool("write")]);
  const [problem] = proveStatement(statement(bare, "1.0.0"), { now: NOW, served }).slice(1);
  expect(problem?.message).toBe(
    "the server differs from the statement: set hashes, tool write, prompt ask, resource a:b",
  );
  const [session] = offer.sessions;
  if (session === undefined) throw new Error("a visit has a session");
  const two = lockServer("files", { ...offer, sessions: [session, { ...session, view: "client" }], client: "cursor" });
  expect(proveStatement(statement(served, "1.0.0"), { now: NOW, served: two })).toMatchObject([
    { message: expect.stringContaining("visited as cursor and not bare: session legacy/client") },
  ]);
  expect(rules(statement(two, "1.0.0"), { served })).toEqual([]);
  const newer = lockServer("files", { ...offer, sessions: [{ ...session, protocolVersion: "2025-11-25" }] });
  expect(proveStatement(statement(newer, "1.0.0"), { now: NOW, served })).toMatchObject([
    { message: expect.stringContaining("protocol version of legacy/bare") },
  ]);
});

test("a verdict is proven against the pinned release, or said to be of another one", () => {
  const lying = statement(after, "2.0.0", { before: { entry: before, version: "1.2.0" } });
  const { verdict } = lying.statement.predicate;
  if (verdict === undefined) throw new Error("a statement with a release before has a verdict");
  const said = (level: "none" | "patch") => {
    const predicate = { ...lying.statement.predicate, verdict: { ...verdict, level } };
    return { ...lying, statement: { ...lying.statement, predicate } };
  };
  for (const level of ["none", "patch"] as const) {
    expect(proveStatement(said(level), { now: NOW, served: after, locked: before })).toMatchObject([
      { rule: "statement/lying-verdict", path: "/predicate/verdict/level", stated: level, found: "major" },
    ]);
  }
  const another = entryOf([tool("read"), tool("write")]);
  expect(rules(lying, { locked: another })).toEqual(["unproven-verdict"]);
  expect(rules(statement(after, "2.0.0"), { locked: before })).toEqual(["unproven-verdict"]);
});

test("a rename leads from a name that is gone to one that is there, also through another one", () => {
  const served = entryOf([tool("read"), tool("write")]);
  const said = (aliases: Record<string, string>) =>
    rules(statement(served, "1.0.0", { aliases: new Map(Object.entries(aliases)) }), { served });
  expect(said({ look: "read", see: "look" })).toEqual([]);
  expect(said({ look: "gone" })).toEqual(["lying-alias"]);
  expect(said({ read: "write" })).toEqual(["lying-alias"]);
});

test("findings have the place in the file and both values", () => {
  const problems = proveStatement(SECOND, { now: new Date("2027-02-01"), served: after });
  expect(statementFindings(problems, "mine", "files.intoto.json")).toEqual([
    {
      rule: "statement/expired",
      level: "error",
      message: "the statement has expired",
      place: {
        subject: "mine",
        server: "mine",
        pointer: "/predicate/expires",
        location: { file: "files.intoto.json" },
      },
      before: "2027-01-31T00:00:00Z",
      after: "2027-02-01T00:00:00.000Z",
    },
  ]);
});

test("a signature that does not count is a problem, and a statement that cannot be read is none", () => {
  const error = (code: "wrong-key" | "invalid-signature" | "invalid-envelope") =>
    new StatementError(code, "no", { path: "/signatures", expected: "yes" });
  expect(problemOf(error("wrong-key"))).toEqual({ rule: "statement/wrong-key", path: "/signatures", message: "no" });
  expect(problemOf(error("invalid-signature"))).toMatchObject({ rule: "statement/invalid-signature" });
  expect(problemOf(error("invalid-envelope"))).toBeUndefined();
});

test("sessions that were shown different lists are compared each by itself", () => {
  const offer = answersOf([tool("read")]);
  const [session] = offer.sessions;
  if (session === undefined) throw new Error("a visit has a session");
  const more = { ...session, view: "client" as const, lists: { tools: [[{ tools: [tool("read"), tool("write")] }]] } };
  const served = lockServer("files", { ...offer, sessions: [session, more] });
  const { subject } = statementOf(served, "1.0.0");
  expect(subject.map(({ digest }) => digest["tdh1"])).toEqual(served.setHashes.map(({ tools }) => tools));
  expect(rules(statement(served, "1.0.0"), { served })).toEqual([]);
  expect(rules(statement(served, "1.0.0"), { served: entryOf([tool("read")], "1") })).toEqual([]);
});
