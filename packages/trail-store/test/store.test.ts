import {
  collect,
  postgresDatabases,
  sqliteFiles,
  sqliteMemory,
  testedDatabases,
} from "@agentprint/testing/trail/backends";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import {
  createInclusionProof,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
  parseCheckpoint,
  verifyInclusionProof,
} from "@agentprint/trail/checkpoint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ExportedRow, openTrailStore, type TrailStore, type TrailStoreOptions } from "../src/index.ts";

const thought = { type: "plan", task_id: "task-42", agent_id: "planner", content: "Migrate the table." } as const;
const bytes = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const line of lines) text += line;
  return text;
}

function chain(length: number, change: Partial<ThoughtRecord> = {}): ThoughtRecord[] {
  const records: ThoughtRecord[] = [];
  for (let index = 0; index < length; index++) {
    const id = `${change.task_id ?? "rec"}-${index}`;
    const fields = { ...thought, ...change, content: `thought ${index}` };
    records.push(createThought(fields, records.at(-1) ?? null, { id, now: "2026-04-01T08:00:00.000Z" }));
  }
  return records;
}

const lines = (records: readonly ThoughtRecord[]): string =>
  records.map((record) => formatThoughtLine(record)).join("");

describe.each(
  testedDatabases({
    "SQLite in memory": sqliteMemory,
    "a SQLite file": sqliteFiles(),
    PostgreSQL: postgresDatabases(),
  }),
)("a store in %s", (_name, databases) => {
  beforeAll(databases.start);
  afterAll(databases.stop);

  async function using<T>(
    run: (store: TrailStore, url: string) => Promise<T>,
    options?: TrailStoreOptions,
  ): Promise<T> {
    const url = await databases.create();
    const store = await openTrailStore(url, options);
    try {
      return await run(store, url);
    } finally {
      await store.close();
    }
  }

  test("appends behind the head of each task and reads back what it appended", () =>
    using(async (store) => {
      const first = await store.append(thought);
      const [second, other] = await store.appendAll([
        { ...thought, content: "" },
        { ...thought, task_id: "other" },
      ]);
      expect(first.prev_hash).toBe(ZERO_HASH);
      expect(second?.prev_hash).toBe(first.hash);
      expect(other?.prev_hash).toBe(ZERO_HASH);
      expect(await store.get("task-42", first.id)).toEqual(first);
      expect(await store.get("task-42", "nobody")).toBeNull();
      expect(await store.get("other", first.id)).toBeNull();
      expect(await store.head("task-42")).toEqual(second);
      expect(await store.head("nothing")).toBeNull();
      expect(await collect(store.tasks())).toEqual([
        { taskId: "other", length: 1 },
        { taskId: "task-42", length: 2 },
      ]);
    }));

  test("uses the clock and the ids of its caller", () =>
    using(
      async (store) =>
        expect(await store.append(thought)).toMatchObject({ id: "one", timestamp: "1970-01-01T00:00:00.000Z" }),
      {
        now: () => new Date(0),
        id: () => "one",
      },
    ));

  test("keeps any text that databases can hold", () =>
    using(async (store) => {
      const contents = [
        "",
        "'; drop table thoughts; --",
        "\u2028\ud83d\ude00\u0001\\",
        '{1,NULL,"x"}',
        "x".repeat(2 ** 20),
      ];
      await store.appendAll(contents.map((content) => ({ ...thought, task_id: "a'b\\\"c", content })));
      expect((await collect(store.read("a'b\\\"c"))).map(({ content }) => content)).toEqual(contents);
      expect((await store.verify("a'b\\\"c")).ok).toBe(true);
    }));

  test.each([
    [{ content: "\ud800" }, "unsupported-text", "/content"],
    [{ content: "a\0b" }, "unsupported-text", "/content"],
    [{ id: "i".repeat(513) }, "too-large", "/id"],
    [{ content: "c".repeat(2 ** 20 + 1) }, "too-large", "/content"],
    [{ type: "observation" as "plan" }, "invalid-thought", "/type"],
    [{ content: 1 as unknown as string }, "invalid-thought", "/content"],
    [{ id: {} as string }, "invalid-thought", "/id"],
    [{ task_id: ["t"] as unknown as string }, "invalid-thought", "/task_id"],
  ])("refuses %j whole", (change, code, path) =>
    using(async (store) => {
      const appended = store.appendAll([thought, { ...thought, ...change }]);
      await expect(appended).rejects.toMatchObject({ code, path });
      expect(await store.head("task-42")).toBeNull();
    }),
  );

  test("records an id once: the same content again is the same record, other content an error", () =>
    using(async (store) => {
      const input = { ...thought, id: "once" };
      const record = await store.append(input);
      await store.append(thought);
      expect(await store.append(input)).toEqual(record);
      expect(await store.appendAll([input, { ...input, timestamp: record.timestamp }])).toEqual([record, record]);
      expect(
        await store.appendAll([
          { ...thought, id: "new" },
          { ...thought, id: "new" },
        ]),
      ).toHaveLength(2);
      await expect(store.append({ ...input, content: "other" })).rejects.toMatchObject({
        code: "id-conflict",
        path: "/content",
      });
      expect((await store.verify("task-42")).length).toBe(3);
    }));

  test("links the records of many writers that append at the same time to one chain", () =>
    using(async (store) => {
      await Promise.all(Array.from({ length: 40 }, (_, index) => store.append({ ...thought, content: `${index}` })));
      expect(await store.verify("task-42")).toMatchObject({ ok: true, length: 40 });
      const contents = (await collect(store.read("task-42"))).map(({ content }) => content);
      expect(new Set(contents).size).toBe(40);
    }));

  test("lists page by page", () =>
    using(async (store) => {
      await store.appendAll(Array.from({ length: 5 }, (_, index) => ({ ...thought, content: `${index}` })));
      const first = await store.list("task-42", { limit: 2 });
      const second = await store.list("task-42", { limit: 3, after: first.next ?? -1 });
      expect([...first.records, ...second.records].map(({ content }) => content)).toEqual(["0", "1", "2", "3", "4"]);
      expect([first.next, second.next]).toEqual([1, null]);
      expect((await store.list("task-42")).records).toHaveLength(5);
    }));

  test("exports JSON Lines that another store imports, also repeatedly", () =>
    using(async (store) => {
      await store.appendAll([thought, { ...thought, task_id: "other" }, thought]);
      const text = await textOf(store.export());
      const rows: ExportedRow[] = [];
      for await (const row of store.exportRows()) rows.push(row);
      expect(rows.map(({ line }) => `${line}\n`).join("")).toBe(text);
      const places = rows.map(({ line, task, position }) => [JSON.parse(line).task_id === task, position]);
      const counts = new Map<string, number>();
      const next = (task: string): number => counts.set(task, (counts.get(task) ?? -1) + 1).get(task) ?? 0;
      expect(places).toEqual(rows.map(({ task }) => [true, next(task)]));
      await using(async (copy) => {
        expect(await copy.import(bytes(text))).toEqual({ added: 3, known: 0 });
        expect(await copy.import(bytes(text))).toEqual({ added: 0, known: 3 });
        expect(await textOf(copy.export())).toBe(text);
        await copy.append(thought);
        expect(await copy.verify()).toMatchObject({ ok: true, length: 4 });
        expect(await store.import(bytes(await textOf(copy.export("task-42"))))).toEqual({ added: 1, known: 2 });
      });
    }));

  test("imports all or nothing: large ones, cut ones, altered ones", () =>
    using(async (store) => {
      const records = chain(1200);
      const altered = records.with(1100, { ...(records[1100] as ThoughtRecord), content: "other" });
      await expect(store.import(bytes(lines(altered)))).rejects.toMatchObject({
        code: "invalid-trail",
        report: { firstBadIndex: 1100 },
      });
      await expect(store.import(bytes(lines(records).slice(0, -9)))).rejects.toMatchObject({ code: "invalid-trail" });
      await expect(store.import(bytes(lines(records.slice(1))))).rejects.toMatchObject({ code: "invalid-trail" });
      await expect(
        store.import(bytes(lines(chain(1, { content: "x", agent_id: "\0" })) + lines([]))),
      ).rejects.toMatchObject({
        code: "unsupported-text",
      });
      expect(await store.head("task-42")).toBeNull();
      expect(await store.import(bytes(lines(records)))).toEqual({ added: 1200, known: 0 });
      expect(await store.verify("task-42")).toMatchObject({ ok: true, length: 1200 });
    }));

  test("refuses to import a chain whose stored records continue differently", () =>
    using(async (store) => {
      const records = chain(3);
      await store.import(bytes(lines(records)));
      const branch = [...records.slice(0, 2)];
      branch.push(createThought(thought, branch[1] as ThoughtRecord, { id: "branch", now: "now" }));
      await expect(store.import(bytes(lines(branch)))).rejects.toMatchObject({ code: "diverged" });
      expect(await store.verify()).toMatchObject({ ok: true, length: 3 });
    }));

  test("refuses to import a known record under another name, or one that follows another record", () =>
    using(async (store) => {
      const records = chain(2);
      await store.import(bytes(lines(records)));
      const renamed = records.with(1, { ...(records[1] as ThoughtRecord), agent_id: "somebody else" });
      await expect(store.import(bytes(lines(renamed)))).rejects.toMatchObject({
        code: "id-conflict",
        path: "/agent_id",
      });
      const [, second] = records as [ThoughtRecord, ThoughtRecord];
      const moved = createThought(second, null, { id: second.id, now: second.timestamp });
      await expect(store.import(bytes(lines([moved])))).rejects.toMatchObject({
        code: "id-conflict",
        path: "/prev_hash",
      });
      expect(await collect(store.read("task-42"))).toEqual(records);
    }));

  test.each([1, 700])("imports two tasks of %i records that share their ids", (length) =>
    using(async (store) => {
      const tasks = [chain(length), chain(length, { task_id: "other" })];
      expect(await store.import(bytes(lines(tasks.flat())))).toEqual({ added: 2 * length, known: 0 });
      expect(await store.import(bytes(lines(tasks.flat())))).toEqual({ added: 0, known: 2 * length });
      expect(await store.verify()).toMatchObject({ ok: true, length: 2 * length });
    }),
  );

  test("signs checkpoints, keeps them and verifies against them", () =>
    using(async (store) => {
      const keys = createNoteKeys("example.com/log", new Uint8Array(32).fill(3));
      const signer = createNoteSigner(keys.signerKey);
      const trust = () => ({ origin: "o", log: createNoteVerifier(keys.verifierKey) });
      const records = await store.appendAll([thought, { ...thought, content: "second" }]);
      const note = await store.checkpoint("task-42", { origin: "o", signers: [signer], authors: true });
      await store.append(thought);
      await store.checkpoint("task-42", { origin: "o", signers: [signer] });
      await store.addCheckpoint("task-42", note);
      expect(await store.checkpoints("task-42")).toHaveLength(2);
      expect(await store.verify("task-42", { trust })).toMatchObject({ ok: true, checkpointed: 3 });
      const { size, rootHash } = parseCheckpoint(note.slice(0, note.indexOf("\n\n") + 1));
      const proof = await createInclusionProof(
        records.map(({ hash }) => hash),
        1,
        size,
      );
      expect(verifyInclusionProof(proof, records[1]?.hash ?? "", { size, rootHash })).toBe(true);
      const elsewhere = { checkpoints: () => [{ size: 9, rootHash: ZERO_HASH }] };
      expect((await store.verify("task-42", elsewhere)).counts.truncated).toBe(1);
      const stranger = createNoteVerifier(createNoteKeys("x", new Uint8Array(32)).verifierKey);
      const distrust = { trust: () => ({ origin: "o", log: stranger }) };
      expect((await store.verify("task-42", distrust)).storeProblems).toMatchObject([
        { kind: "untrusted-checkpoints" },
      ]);
    }));

  test("does not sign a chain that contradicts a stored checkpoint", () =>
    using(async (store) => {
      const keys = createNoteKeys("example.com/log", new Uint8Array(32).fill(3));
      const options = { origin: "o", signers: [createNoteSigner(keys.signerKey)] };
      await store.append(thought);
      const foreign = await using(async (other) => {
        await other.append({ ...thought, content: "other" });
        return other.checkpoint("task-42", options);
      });
      await store.addCheckpoint("task-42", foreign);
      await expect(store.checkpoint("task-42", options)).rejects.toMatchObject({
        code: "invalid-trail",
        report: { counts: { rewritten: 1 } },
      });
    }));

  test("reports progress", () =>
    using(async (store) => {
      await store.import(bytes(lines(chain(250)) + lines(chain(10, { task_id: "z" }))));
      const seen: number[] = [];
      await store.verify(undefined, { onProgress: (records) => seen.push(records) });
      expect(seen.at(-1)).toBe(260);
    }));
});
