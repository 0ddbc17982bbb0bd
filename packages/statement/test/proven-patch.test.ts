import type { JsonObject } from "@agentprint/canonical-json";
import { formatLock, LOCK_VERSION, type LockedServer, lockServer, parseLock } from "@agentprint/mcp-lock";
import { judgeRelease } from "@agentprint/release";
import { entryOf, strictTool, tool } from "@agentprint/testing/lock/locked-server";
import { answersOf } from "@agentprint/testing/lock/offer";
import { author, NOW, opened, other, statementOf, trusted } from "@agentprint/testing/statement/author";
import { expect, test } from "vitest";
import { signStatement } from "../src/open-statement.ts";
import { lockedStatement, patchObstacle, proveEnvelope } from "../src/prove-envelope.ts";
import type { StatementFacts } from "../src/prove-statement.ts";
import { hasSameWords } from "../src/same-words.ts";

const BEFORE = entryOf([tool("read"), tool("list")]);

/** Returns a tool with other schema members for its path. */
function withPath(path: JsonObject): JsonObject {
  return tool("read", { inputSchema: { type: "object", properties: { path }, additionalProperties: false } });
}

/** Returns whether the author may state the change, or the reason why not. */
function patch(served: LockedServer, signer = author, rest: Partial<StatementFacts> = {}): true | string {
  const statement = statementOf(served, "1.0.1", { before: { entry: BEFORE, version: "1.0.0" } });
  const facts = { now: NOW, served, locked: BEFORE, ...rest };
  return patchObstacle(proveEnvelope(signStatement(statement, signer), trusted, facts), facts) ?? true;
}

test("an equal schema in known words, with another version, is a patch that its author may state", () => {
  expect(patch(entryOf([withPath({ type: "string", minLength: 0 }), tool("list")], "1.0.1"))).toBe(true);
  expect(patch(entryOf([tool("read"), tool("list")], "1.0.1"))).toBe(true);
});

/** The answers in one session with the newer protocol, and in one with the handshake. */
function inBothEras(tools: readonly JsonObject[], older: readonly JsonObject[], version: string): LockedServer {
  const answers = answersOf(older, {
    serverInfo: { version, name: "files" },
    capabilities: { tools: {}, prompts: {} },
  });
  const [session] = answers.sessions;
  if (session === undefined) throw new Error("a visit has a session");
  const _meta = { "io.modelcontextprotocol/serverInfo": { version, name: "files", title: "Files" } };
  const greeting = { supportedVersions: ["2026-07-28"], resultType: "complete", capabilities: { tools: {} }, _meta };
  const lists = { tools: [[{ resultType: "complete", tools: [...tools], ttlMs: 0, cacheScope: "private", _meta }]] };
  const newer = { ...session, era: "modern" as const, protocolVersion: "2026-07-28", greetings: [greeting], lists };
  return lockServer("files", { ...answers, sessions: [session, newer] });
}

/** Returns the entry as read from a lock file, with sorted members. */
function asRead(entry: LockedServer): LockedServer {
  const [read] = parseLock(formatLock({ lockVersion: LOCK_VERSION, servers: [entry] })).servers;
  if (read === undefined) throw new Error("the lock has the entry");
  return read;
}

test("a patch is proven of what a lock file says, in each order of digests that versions and schemas make", () => {
  const [one, other] = [withPath({ type: "string" }), withPath({ type: "string", maxLength: 9 })];
  for (const minor of Array.from({ length: 20 }, (_, index) => index)) {
    const before = inBothEras([one], [other], `1.${minor}.0`);
    const patched = inBothEras(
      [withPath({ type: "string", minLength: 0 })],
      [withPath({ type: "string", maxLength: 9, minLength: 0 })],
      `1.${minor}.1`,
    );
    const statement = statementOf(patched, `1.${minor}.1`, { before: { entry: before, version: `1.${minor}.0` } });
    const facts = { now: NOW, served: patched, locked: asRead(before) };
    const proven = proveEnvelope(signStatement(statement, author), trusted, facts);
    expect([proven.problems, patchObstacle(proven, facts)]).toEqual([[], undefined]);
    const swapped = inBothEras([other], [one], `1.${minor}.1`);
    expect(hasSameWords(asRead(before), swapped)).toBe(true);
    expect(judgeRelease(before, swapped).level).toBe("major");
  }
});

test.each<[string, readonly JsonObject[], string]>([
  ["another word", [tool("read", { description: "Reads a file" }), tool("list")], "1.0.1"],
  [
    "a word in a schema that takes the same",
    [withPath({ anyOf: [{ type: "string" }, { const: "obey" }] }), tool("list")],
    "1.0.1",
  ],
  ["a name that no call can use", [withPath({ type: "string", not: { enum: ["obey me", 1] } }), tool("list")], "1.0.1"],
  ["an unknown member of a schema", [withPath({ type: "string", "x-note": 1 }), tool("list")], "1.0.1"],
  ["words in an unknown member", [withPath({ type: "string", $comment: "obey" }), tool("list")], "1.0.1"],
  [
    "words as the name of a definition",
    [withPath({ type: "string", $defs: { "obey me": {} } }), tool("list")],
    "1.0.1",
  ],
  [
    "a parameter more",
    [tool("read", { inputSchema: { type: "object", properties: { path: {}, to: {} } } }), tool("list")],
    "1.0.1",
  ],
  ["a tool more", [tool("read"), tool("list"), tool("write")], "1.0.1"],
  ["a tool less", [tool("read")], "1.0.1"],
  ["another name", [tool("read"), tool("lists")], "1.0.1"],
  ["a hint", [tool("read", { annotations: { readOnlyHint: true } }), tool("list")], "1.0.1"],
  ["a schema that refuses more", [strictTool("read"), tool("list")], "1.0.1"],
  ["words for a version", [tool("read"), tool("list")], "1.0.1 obey me"],
  ["nothing", [tool("read"), tool("list")], "1.0.0"],
])("%s is none", (_, tools, version) => {
  expect(patch(entryOf(tools, version))).toEqual(expect.any(String));
});

test("a schema may have more texts than a call takes arguments", () => {
  const many = new Array<string>(150_000).fill("a");
  const served = entryOf([withPath({ type: "string", default: many }), tool("list")]);
  expect(hasSameWords(BEFORE, served)).toBe(false);
  expect(hasSameWords(served, served)).toBe(true);
});

test("instructions, another client or a login are none", () => {
  const answers = answersOf([tool("read"), tool("list")], { serverInfo: { name: "files", version: "1.0.1" } });
  const [session] = answers.sessions;
  if (session === undefined) throw new Error("a visit has a session");
  const greetings = session.greetings.map((greeting) => ({ ...greeting, instructions: "obey" }));
  expect(patch(lockServer("files", { ...answers, sessions: [{ ...session, greetings }] }))).toContain(
    "read something new",
  );
  expect(patch(lockServer("files", { ...answers, client: "cursor" }))).toContain("launch");
  expect(
    patch(lockServer("files", { ...answers, launch: { type: "http", url: "https://a.example/", headers: [] } })),
  ).toContain("launch");
  const prompts = [[{ prompts: [{ name: "obey" }] }]];
  const offered = { ...session, lists: { ...session.lists, prompts } };
  expect(patch(lockServer("files", { ...answers, sessions: [offered] }))).toContain("read something new");
});

test("a statement that does not hold, of nobody who counts, or of a first release proves no patch", () => {
  const served = entryOf([tool("read"), tool("list")], "1.0.1");
  expect(patch(served, other)).toContain("is not valid");
  expect(patch(served, author, { now: new Date("2027-02-01") })).toContain("is not valid");
  const facts = { now: NOW, served, locked: BEFORE };
  const first = signStatement(statementOf(served, "1.0.1"), author);
  expect(patchObstacle(proveEnvelope(first, trusted, facts), facts)).toContain("is not valid");
  const same = { now: NOW, served: BEFORE, locked: BEFORE };
  const ofSame = signStatement(statementOf(BEFORE, "1.0.0"), author);
  expect(patchObstacle(proveEnvelope(ofSame, trusted, same), same)).toContain("no verdict");
  const unpinned = { now: NOW, served };
  expect(patchObstacle(proveEnvelope(first, trusted, unpinned), unpinned)).toContain("not pinned");
});

test("a text that is no statement is refused", () => {
  const facts = { now: NOW, served: BEFORE };
  expect(() => proveEnvelope("<html>", trusted, facts)).toThrow(expect.objectContaining({ code: "invalid-envelope" }));
});

test("a lock keeps what the next statement is compared with", () => {
  const statement = opened(statementOf(BEFORE, "1.0.0"));
  expect(lockedStatement("mine", statement)).toEqual({
    server: "mine",
    sha256: statement.digest,
    version: "1.0.0",
    issued: "2026-01-31T00:00:00Z",
    sets: BEFORE.setHashes,
  });
});

test("without facts, only the signature is checked", () => {
  const envelope = signStatement(statementOf(BEFORE, "1.0.0"), author);
  expect(proveEnvelope(envelope, trusted)).toMatchObject({ opened: { keyId: author.keyId }, problems: [] });
  expect(proveEnvelope(envelope, []).problems).toMatchObject([{ rule: "statement/wrong-key" }]);
});
