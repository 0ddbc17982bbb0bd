import { createReadStream, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runs } from "@agentprint/testing/property-runs";
import { parseThoughtLines, verifyThoughtLines } from "@agentprint/trail/chain";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { decryptContent } from "../src/encrypt/decrypt-content.ts";
import { createContentCipher } from "../src/encrypt/encrypt-content.ts";
import { type ContentKeys, createKeyFolder, type EventInput, readEvents } from "../src/index.ts";
import { chainOf, collect, record, SECRET, temporaryFolder } from "./support.ts";

const KEY = Uint8Array.from({ length: 32 }, (_, index) => index);
const PLACE = { id: "s1.00000001", task_id: "s1", type: "plan" } as const;
const ARGUMENTS = '{"name":"Ada Lovelace"}';
const DIGEST = "ab".repeat(32);

test("a key has 32 bytes", () => {
  expect(() => createContentCipher(new Uint8Array(33))).toThrow(/32 bytes/);
});

test("what is encrypted is read again, never with the same nonce", async () => {
  const { encryptThought } = createContentCipher(KEY);
  const nonces = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.string(), async (text, id) => {
      const place = { ...PLACE, id };
      const token = encryptThought(text, place);
      nonces.add(token.split(".")[3] ?? "");
      expect(await decryptContent(token, place, KEY)).toBe(text);
    }),
    { numRuns: runs(40) },
  );
  expect(nonces.size).toBe(runs(40));
});

test("where a browser has no WebCrypto, the error says where it has", async () => {
  const token = createContentCipher(KEY).encryptThought("Delete it.", PLACE);
  vi.stubGlobal("crypto", {});
  try {
    await expect(decryptContent(token, PLACE, KEY)).rejects.toMatchObject({ code: "unsupported" });
  } finally {
    vi.unstubAllGlobals();
  }
});

describe("a recorder that encrypts", () => {
  const EVENTS: readonly EventInput[] = [
    {
      kind: "call",
      call: "c1",
      tool: "find",
      digests: { arguments: DIGEST, tool: DIGEST },
      attributes: { "gen_ai.tool.call.arguments": ARGUMENTS },
    },
    { kind: "result", call: "c1", outcome: "ok", digests: { result: DIGEST } },
    { kind: "link", digests: { capabilities: DIGEST } },
    { kind: "asked", attributes: { "": 1, __proto__: 2, constructor: true } },
  ];

  /** Records in a new folder; returns the chain and its entries, read with content keys. */
  async function recorded() {
    const folder = temporaryFolder();
    const keys = createKeyFolder(join(folder, "keys"));
    const recorder = await record({ store: folder, encrypt: keys });
    for (const event of EVENTS) recorder.record(event);
    recorder.think({ type: "plan", content: "Ada Lovelace asked \ud800." });
    await recorder.close();
    const path = chainOf(recorder, folder);
    const read = async (contentKeys?: Pick<ContentKeys, "get">) => {
      expect(await verifyThoughtLines(createReadStream(path))).toMatchObject({ ok: true });
      const lines = parseThoughtLines(createReadStream(path));
      const entries = await collect(readEvents(lines, { keys: [SECRET], ...(contentKeys && { contentKeys }) }));
      // The first entry is the start of the session, and the last one is its end.
      return entries.slice(1, -1);
    };
    return { folder, keys, task: recorder.sessionId, path, read };
  }

  test("has no content in the chain, and reveals it to holders of the key", async () => {
    const { keys, path, read } = await recorded();
    const chain = readFileSync(path, "utf8");
    for (const secret of ["Ada Lovelace", "gen_ai", "process.pid"]) expect(chain).not.toContain(secret);
    const entries = await read(keys);
    expect(entries.map((entry) => "event" in entry && entry.event)).toEqual([
      ...EVENTS.map((event) => expect.objectContaining(event)),
      false,
    ]);
    expect(entries.at(-1)).toMatchObject({ is: "text", content: "decrypted", text: "Ada Lovelace asked \ud800." });
    expect(entries.map((entry) => "content" in entry && entry.content)).toEqual([
      "decrypted",
      "decrypted",
      false,
      "decrypted",
      "decrypted",
    ]);
  });

  test("without keys leaves the contents encrypted, and everything else readable", async () => {
    const { read } = await recorded();
    const [call, , link] = await read();
    expect(call).toMatchObject({ content: "encrypted", event: { tool: "find", digests: { tool: DIGEST } } });
    expect(call).not.toMatchObject({ event: { digests: { arguments: DIGEST } } });
    expect(link).toMatchObject({ event: { digests: { capabilities: DIGEST } } });
    expect(link).not.toHaveProperty("content");
  });

  test("leaves an intact chain with unreadable contents when the key is deleted", async () => {
    const { keys, task, read } = await recorded();
    expect(await keys.delete(task)).toBe(true);
    expect(await keys.delete(task)).toBe(false);
    const states = (await read(keys)).map((entry) => "content" in entry && entry.content);
    expect(states).toEqual(["erased", "erased", false, "erased", "erased"]);
    await keys.create(task);
    expect((await read(keys))[0]).toMatchObject({ content: "wrong-key" });
  });

  test("shows a content as altered that was moved to another record, or is none", async () => {
    const { keys, path, task, read } = await recorded();
    const key = (await keys.get(task)) as Uint8Array;
    const { encryptThought } = createContentCipher(key);
    const records = await collect(parseThoughtLines(createReadStream(path)));
    const thought = records.at(-2) as { id: string; task_id: string; type: "plan"; content: string };
    const moved = { ...thought, id: "another" };
    const noText = { ...thought, content: encryptThought({ attributes: {} } as never, thought) };
    const found = await collect(readEvents([moved, noText], { keys: [], contentKeys: keys }));
    expect(found).toMatchObject([{ content: "altered" }, { content: "altered" }]);
    const failing = { get: () => Promise.reject(new Error("no such key store")) };
    await expect(read(failing)).rejects.toThrow("no such key store");
  });

  test("begins no session when its key cannot be made", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "keys"), "");
    const beginning = record({ store: folder, encrypt: createKeyFolder(join(folder, "keys")) });
    await expect(beginning).rejects.toMatchObject({ name: "RecorderError", code: "unavailable" });
  });
});

describe("a folder of keys", () => {
  test("has a file for each task that only its owner can read, whatever the task is named", async () => {
    const folder = join(temporaryFolder(), "keys");
    const keys = createKeyFolder(folder);
    const tasks = ["s1", "S1", "../s1", "\ud800", "", "a/b\u0000"];
    const made = await Promise.all(tasks.flatMap((task) => [keys.create(task), keys.create(task)]));
    expect(new Set(made.map(String)).size).toBe(tasks.length);
    expect(readdirSync(folder)).toHaveLength(tasks.length);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await keys.get("s1")).toEqual(made[0]);
    expect(await keys.get("none")).toBeUndefined();
    const [name = ""] = readdirSync(folder);
    writeFileSync(join(folder, name), "something else");
    const errors = await Promise.allSettled(tasks.map((task) => keys.get(task)));
    expect(errors.filter(({ status }) => status === "rejected")).toMatchObject([{ reason: { code: "invalid-key" } }]);
  });

  test("reports a key that cannot be deleted", async () => {
    const folder = join(temporaryFolder(), "keys");
    const keys = createKeyFolder(folder);
    await keys.create("s1");
    const [name = ""] = readdirSync(folder);
    await keys.delete("s1");
    mkdirSync(join(folder, name));
    await expect(keys.delete("s1")).rejects.toMatchObject({ name: "RecorderError", code: "unavailable" });
  });
});
