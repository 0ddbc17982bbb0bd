import { createReadStream, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseThoughtLines, verifyChain } from "@agentprint/trail/chain";
import { createNoteKeys, createNoteSigner, createNoteVerifier, verifyCheckpoint } from "@agentprint/trail/checkpoint";
import { openTrailStore } from "@agentprint/trail-store";
import { expect, onTestFinished, test } from "vitest";
import type { CheckpointTarget, Recorder } from "../src/index.ts";
import { chainOf, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "./support.ts";

const { signerKey, verifierKey } = createNoteKeys("example.com/trails", SECRET);
const TARGET = { origin: "example.com/trails", signer: createNoteSigner(signerKey) };

function opened(note: string, { sessionId }: Recorder): ReturnType<typeof verifyCheckpoint> {
  return verifyCheckpoint(note, { origin: `${TARGET.origin}/${sessionId}`, log: createNoteVerifier(verifierKey) });
}

test("the last checkpoint covers the whole session, its end too", async () => {
  const store = temporaryFolder();
  const to = temporaryFolder();
  const recorder = await record({ store, checkpointTo: { ...TARGET, to } });
  recorder.record({ kind: "call", call: "c1" });
  await recorder.close();
  const checkpoint = opened(readFileSync(join(to, `${recorder.sessionId}.checkpoint`), "utf8"), recorder);
  const records = parseThoughtLines(createReadStream(chainOf(recorder, store)));
  expect(await verifyChain(records, { checkpoints: [checkpoint] })).toMatchObject({ ok: true, checkpointed: 3 });
});

test("checkpoints are sent at intervals while the chain grows", async () => {
  const notes: string[] = [];
  const to: CheckpointTarget["to"] = (note) => {
    notes.push(note);
  };
  const recorder = await record({ store: temporaryFolder(), checkpointTo: { ...TARGET, to, everyMs: 5 } });
  await expect.poll(() => notes.length).toBe(1);
  await recorder.record({ kind: "call", call: "c1" }).durable();
  await expect.poll(() => notes.length).toBe(2);
  await recorder.close();
  expect(notes.map((note) => opened(note, recorder).size)).toEqual([1, 2, 3]);
});

test("checkpoints of a database cover what others wrote into the chain, too", async () => {
  const store = `file:${join(temporaryFolder(), "trail.db")}`;
  const to = temporaryFolder();
  const recorder = await record({ store, checkpointTo: { ...TARGET, to } });
  const trails = await openTrailStore(store);
  await trails.append({ type: "plan", task_id: recorder.sessionId, agent_id: "other", content: "A thought." });
  await recorder.close();
  const checkpoint = opened(readFileSync(join(to, `${recorder.sessionId}.checkpoint`), "utf8"), recorder);
  expect(await trails.verify(recorder.sessionId, { checkpoints: () => [checkpoint] })).toMatchObject({
    ok: true,
    checkpointed: 3,
  });
  await trails.close();
});

test.each([200, 500])("a checkpoint is posted, and status %i is handled", async (status) => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (text) => bodies.push(text));
    request.on("end", () => response.writeHead(status).end("heard"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes`;
  const errors: string[] = [];
  const store = temporaryFolder();
  const recorder = await record({
    store,
    checkpointTo: { ...TARGET, to },
    onError: ({ message }) => errors.push(message),
  });
  await recorder.close();
  expect(opened(bodies.join(""), recorder).size).toBe(2);
  const failure = "a checkpoint was not sent: the receiver of checkpoints answered with status 500";
  expect(errors).toEqual(status === 200 ? [] : [failure]);
});

test("a checkpoint that cannot be sent is a fault, recorded once", async () => {
  let attempts = 0;
  const to = async (): Promise<void> => {
    if (attempts++ < 3) throw new Error("nobody is there");
  };
  const store = temporaryFolder();
  const recorder = await record({ store, checkpointTo: { ...TARGET, to, everyMs: 5 } });
  await expect.poll(() => attempts).toBeGreaterThan(3);
  await recorder.close();
  expect(kindsOf(await entriesOf(chainOf(recorder, store)))).toEqual(["session-start", "fault", "session-end"]);
});

test("a folder that is not there is a fault, too", async () => {
  const errors: string[] = [];
  const to = join(temporaryFolder(), "none");
  const store = temporaryFolder();
  const recorder = await record({
    store,
    checkpointTo: { ...TARGET, to },
    onError: ({ message }) => errors.push(message),
  });
  await recorder.close();
  expect(errors).toEqual([expect.stringContaining("ENOENT")]);
});
