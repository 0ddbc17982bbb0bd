import type { JsonObject } from "@agentprint/canonical-json";
import type { ContentAnswers } from "@agentprint/mcp";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, diffLocks, driftFindings, formatLock, type LockFile, parseLock } from "../src/index.ts";
import { readableContent } from "../src/lock/index.ts";

const [KIND, NAME] = ["resource", "doc://a"] as const;

/** Returns the answers of a server that has one content, with these results. */
function visited(...results: JsonObject[]) {
  const contents: ContentAnswers[] = [{ kind: KIND, name: NAME, results }];
  const answers = answersOf([]);
  return { s: { ...answers, sessions: answers.sessions.map((session) => ({ ...session, contents })) } };
}

const text = (value: string): JsonObject => ({ contents: [{ uri: NAME, text: value }] });
const blob = (bytes: string | readonly number[], mimeType?: string): JsonObject => ({
  contents: [{ uri: NAME, ...(mimeType && { mimeType }), blob: Buffer.from(bytes as string).toString("base64") }],
});

function forgetful(lock: LockFile): LockFile {
  const servers = lock.servers.map((entry) => {
    return { ...entry, contents: entry.contents.map(({ result: _, ...content }) => content) };
  });
  return parseLock(formatLock({ ...lock, servers }));
}

/** Returns the differences between contents: the place in the result, the old and new values, and the note. */
function found(before: LockFile, after: ReturnType<typeof visited>) {
  const findings = driftFindings(checkLock(before, after)).filter(({ isRemark }) => !isRemark);
  return findings.map(({ message, place, before, after, note }) => [message, place.pointer, before, after, note]);
}

const CHANGED = "content changed";

test("a file has the results, and is read with them", () => {
  const lock = createLock(visited(text("one"), text("one")));
  expect(lock.servers[0]?.contents[0]?.result).toEqual(text("one"));
  expect(parseLock(formatLock(lock))).toEqual(lock);
  expect(forgetful(lock).servers[0]?.digest).toBe(lock.servers[0]?.digest);
});

test("a result with another digest is refused", () => {
  const file = formatLock(createLock(visited(text("one"))));
  expect(() => parseLock(file.replace('"text": "one"', '"text": "two"'))).toThrow(
    expect.objectContaining({ code: "digest-mismatch", path: "/servers/0/contents/0/definition/digest" }),
  );
});

describe("a changed content", () => {
  test("is the difference of its texts", () => {
    const before = createLock(visited(text("one")));
    expect(found(before, visited(text("two")))).toEqual([[CHANGED, "/contents/0/text", "one", "two", undefined]]);
  });

  test("is all of the other text where one is known by its digest alone", () => {
    const [one, two] = [createLock(visited(text("one"))), createLock(visited(text("two")))];
    const earlier = "The lock has only the digest of its earlier text: read the complete current text";
    expect(found(forgetful(one), visited(text("two")))).toEqual([
      [CHANGED, undefined, undefined, text("two"), earlier],
    ]);
    const drift = (before: LockFile, after: LockFile) => driftFindings(diffLocks(before, after))[0];
    expect(drift(one, forgetful(two))).toMatchObject({ before: text("one"), note: expect.stringContaining("later") });
    expect(drift(forgetful(one), forgetful(two))).toMatchObject({
      place: { pointer: "/digest" },
      note: expect.stringContaining("Only digests of its texts are known"),
    });
  });

  test("that could not be read before, or cannot now, is all of the other text", () => {
    const [read, unread] = [createLock(visited(text("one"))), createLock(visited())];
    expect(found(unread, visited(text("one")))).toEqual([[CHANGED, undefined, undefined, text("one"), undefined]]);
    expect(found(read, visited())).toEqual([[CHANGED, undefined, text("one"), undefined, undefined]]);
    expect(found(forgetful(read), visited())).toMatchObject([
      [CHANGED, undefined, undefined, undefined, expect.stringContaining("earlier text")],
    ]);
    const [finding] = driftFindings(diffLocks(unread, forgetful(read)));
    expect(finding).toMatchObject({ note: expect.stringContaining("later text") });
  });

  test("that is new or gone is shown with its text, or with the digest of it", () => {
    const [none, one] = [createLock({ s: answersOf([]) }), createLock(visited(text("one")))];
    const shown = { name: `${KIND} ${NAME}`, result: text("one") };
    expect(driftFindings(checkLock(none, visited(text("one"))))[0]).toMatchObject({ after: shown });
    expect(driftFindings(diffLocks(one, none))[0]).toMatchObject({ before: shown });
    expect(driftFindings(diffLocks(forgetful(one), none))[0]).toMatchObject({
      before: { name: `${KIND} ${NAME}`, digest: expect.any(String) },
    });
  });
});

describe("bytes", () => {
  const PNG = [0x89, 0x50, 0xff];
  const readable = (result: JsonObject): unknown => {
    const [content] = createLock(visited(result)).servers[0]?.contents ?? [];
    return content && readableContent(content)["result"];
  };

  test.each([
    ["an image", blob(PNG, "image/png"), "3 bytes of image/png, SHA-256 "],
    ["without a type", blob(PNG), "3 bytes of no stated type, SHA-256 "],
    ["text", blob("Hello \u202e"), "Hello \u202e"],
    ["a page with a byte that is no UTF-8", blob([0x3c, 0x70, 0x3e, 0xff], "text/html"), "<p>\ufffd"],
    ["no Base64", { contents: [{ blob: "-" }] }, "-"],
  ])("of %s", (_name, result, shown) => {
    expect(readable(result)).toMatchObject({ contents: [{ blob: expect.stringContaining(shown) }] });
  });

  test("of a message are those of its image or sound", () => {
    const data = Buffer.from(PNG).toString("base64");
    const content = { type: "audio", mimeType: "audio/wav", data };
    expect(readable({ messages: [{ content }], data, blob: 1 })).toMatchObject({
      messages: [{ content: { data: expect.stringContaining("3 bytes of audio/wav") } }],
      data,
      blob: 1,
    });
  });

  test("that are spelled otherwise are a difference of spellings", () => {
    const before = createLock(visited({ contents: [{ blob: "iVD/" }] }));
    expect(found(before, visited({ contents: [{ blob: "iVD/ " }] }))).toEqual([
      [CHANGED, "/contents/0/blob", "iVD/", "iVD/ ", undefined],
    ]);
  });
});
