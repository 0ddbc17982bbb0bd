import { readFileSync } from "node:fs";
import { NORMALIZATION_LEVELS } from "@agentprint/content-hash";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  connectRaw,
  ERAS,
  type Json,
  messageOf,
  openTestServices,
  type RawClient,
  type TestServices,
  until,
} from "./support/server.ts";

const KEYS = ["success", "hash", "contentLength", "docPath", "label", "errorCode", "errorMessage"];
const VECTORS = new URL("../../../fixtures/vectors/content-hash/tool.json", import.meta.url);
/** A text long enough for several turns of the event loop. */
const LONG = "a b\n".repeat(1_000_000);

describe.each(ERAS)("code_hash_normalized in revision %s", (revision) => {
  let services: TestServices;
  let client: RawClient;
  beforeEach(async () => {
    services = await openTestServices();
    client = await connectRaw(services, revision);
  });
  afterEach(async () => {
    await client.server.close();
    await services.remove();
  });

  const callMessage = (id: number, content: string): object =>
    messageOf(revision, id, "tools/call", { name: "code_hash_normalized", arguments: { content, label: "pre-patch" } });

  test("answers as in the golden vectors, with exactly the seven keys", async () => {
    const { cases } = JSON.parse(readFileSync(VECTORS, "utf8"));
    let asked = 0;
    for (const { id, input, expected } of cases as Json[]) {
      const args = objectOf(input);
      if (args === undefined) continue;
      asked += 1;
      const { structuredContent, content, isError } = await client.call("code_hash_normalized", args);
      expect(structuredContent, id).toMatchObject(expected);
      expect(Object.keys(structuredContent), id).toEqual(KEYS);
      expect(content[0].text, id).toBe(JSON.stringify(structuredContent));
      expect(isError, id).toBe(expected.success ? undefined : true);
    }
    expect(asked).toBeGreaterThan(20);
  });

  test("answers with the seven keys, whatever the arguments", async () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    for (const content of ["1", "null", "{}", '"\\ud800"', deep]) {
      const message = JSON.stringify(callMessage(40, "CONTENT"));
      client.writeText(`${message.replace('"CONTENT"', content)}\n`);
      const { structuredContent, isError } = (await client.nextTo(40)).result;
      expect(Object.keys(structuredContent)).toEqual(KEYS);
      expect(structuredContent).toMatchObject({ success: false, hash: null, contentLength: 0 });
      expect(isError).toBe(true);
    }
  });

  test("a call that the client cancels ends as CANCELLED in the log, and is not answered", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 50, reason: "enough" } };
    client.write(callMessage(50, LONG), cancel);
    const payload = { success: false, hash: null, contentLength: 0, errorCode: "CANCELLED" };
    await until(() => services.logged.some(({ outcome }) => outcome === "CANCELLED"));
    expect(services.logged.find(({ msg }) => msg === "cancelled").payload).toMatchObject(payload);
    expect(services.logged.at(-1)).toMatchObject({ tool: "code_hash_normalized", outcome: "CANCELLED" });
    expect((await client.call("code_hash_normalized", { content: "next" })).structuredContent.success).toBe(true);
    expect(client.received.filter(({ id }) => id === 50)).toEqual([]);
  });

  test("a call that the server's end aborts is answered with CANCELLED", async () => {
    client.write(callMessage(60, LONG));
    await until(() => services.calls.size === 1);
    await client.server.close();
    const { structuredContent, isError } = (await client.answerTo(60)).result;
    expect(structuredContent).toMatchObject({ success: false, hash: null, contentLength: 0, errorCode: "CANCELLED" });
    expect(Object.keys(structuredContent)).toEqual(KEYS);
    expect(isError).toBe(true);
  });
});

test("a text that is longer than the limit is CONTENT_TOO_LARGE", async () => {
  const services = await openTestServices({ hash_limit: "4" });
  const client = await connectRaw(services, "2025-11-25");
  const { structuredContent } = await client.call("code_hash_normalized", { content: "12345" });
  expect(structuredContent).toMatchObject({ hash: null, errorCode: "CONTENT_TOO_LARGE" });
  await client.server.close();
  await services.remove();
});

/** The arguments of a case, if a message can contain them: JSON objects without duplicate keys. */
function objectOf({ argumentsJson, ...options }: Json): object | undefined {
  if (Object.keys(options).length > 0 || typeof argumentsJson !== "string") return undefined;
  try {
    const value = JSON.parse(argumentsJson);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && countMembers(argumentsJson) === countMembers(JSON.stringify(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

function countMembers(json: string): number {
  return json.split('":').length;
}

test.each(NORMALIZATION_LEVELS)(
  "hashes at the level %s of the configuration, as in the golden vectors",
  async (level) => {
    const services = await openTestServices({ hash_level: level });
    const client = await connectRaw(services, "2026-07-28");
    const { cases } = JSON.parse(readFileSync(new URL("levels.json", VECTORS), "utf8"));
    const asked = (cases as Json[]).filter(
      ({ input, expected }) => input.level === level && typeof input.text === "string" && expected?.sha256,
    );
    expect(asked.length).toBeGreaterThan(10);
    for (const { id, input, expected } of asked) {
      const { structuredContent } = await client.call("code_hash_normalized", { content: input.text });
      expect(structuredContent.hash, id).toBe(expected.sha256);
    }
    await client.server.close();
    await services.remove();
  },
);

test("writes docPath and label into the log, safe to read, and none of the content", async () => {
  const services = await openTestServices();
  const client = await connectRaw(services, "2026-07-28");
  const labels = { docPath: "src/\u202ea.ts\u001b[2J", label: "l".repeat(1000) };
  const answers = [
    await client.call("code_hash_normalized", { content: "hidden content", ...labels }),
    await client.call("code_hash_normalized", { content: 1, ...labels }),
  ];
  for (const { structuredContent } of answers) expect(structuredContent).toMatchObject(labels);
  const lines = services.logged.filter(({ tool }) => tool === "code_hash_normalized");
  expect(lines.map(({ outcome }) => outcome)).toEqual(["ok", "INVALID_CONTENT"]);
  for (const line of lines) {
    expect(line.docPath).toBe("src/\\u{202e}a.ts\\u{1b}[2J");
    expect(line.label.length).toBeLessThan(300);
    expect(JSON.stringify(line)).not.toContain("hidden content");
  }
  await client.call("code_hash_normalized", { content: "" });
  expect(Object.keys(services.logged.at(-1))).not.toContain("docPath");
  await client.server.close();
  await services.remove();
});
