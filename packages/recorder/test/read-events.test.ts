import { runs } from "@agentprint/testing/property-runs";
import { createThought, type ThoughtFields } from "@agentprint/trail/chain";
import { createNoteKeys, createNoteSigner, createNoteVerifier } from "@agentprint/trail/checkpoint";
import type { ThoughtRecord } from "@agentprint/trail/record";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createMacKey,
  createSignatureKey,
  type EventInput,
  openEnvelope,
  RecorderError,
  readEvents,
  sealEvent,
} from "../src/events.ts";
import { chainOf, collect, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "./support.ts";

const KEY = createMacKey(SECRET);
const PLACE = { id: "r1", task_id: "t1", timestamp: "2026-04-01T00:00:00.000Z" };
const EVENT = { kind: "call", agent: "planner", session: "s1", sequence: 0, call: "c1" } as const;

function recordOf(content: string): ThoughtRecord {
  const fields: ThoughtFields = { type: "plan", task_id: "t1", agent_id: "planner", content };
  return createThought(fields, null, { id: "r1", now: PLACE.timestamp });
}

test("a thought is never read as an event, whatever its text", async () => {
  const { content } = sealEvent(EVENT, PLACE, KEY);
  const other = createMacKey(SECRET.map((byte) => byte ^ 1));
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json().map((json) => `{"agentprint":"event/1","event":${json}`),
    fc.record({ at: fc.nat(content.length - 1), text: fc.string({ maxLength: 3 }) }).map(({ at, text }) => {
      return content.slice(0, at) + text + content.slice(at + text.length);
    }),
    fc.constant(sealEvent(EVENT, PLACE, other).content),
  );
  await fc.assert(
    fc.property(hostile, (text) => {
      fc.pre(text !== content);
      expect(openEnvelope({ ...PLACE, type: "plan", content: text }, [KEY]).is).toBe("text");
    }),
    { numRuns: runs(200) },
  );
});

test("every event that is sealed is read as it was, by the secret and by the public key", () => {
  const keys = createNoteKeys("example.com/recorder", SECRET);
  const signing = createSignatureKey(createNoteSigner(keys.signerKey));
  const units = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
  const text = fc.oneof(fc.string({ unit: "binary" }), units, fc.constant("\ud800"));
  const event = fc.record(
    { server: text, tool: text, reason: text, findings: fc.array(text), attributes: fc.dictionary(text, text) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(event, fc.constantFrom(KEY, signing), (members, key) => {
      const sealed = sealEvent({ ...EVENT, ...members }, PLACE, key);
      const opened = openEnvelope({ ...PLACE, ...sealed }, [KEY, signing]);
      expect(opened).toEqual({ is: "event", event: { ...EVENT, ...members } });
    }),
  );
});

test("an envelope that is longer than a record is text", () => {
  const { content } = sealEvent({ ...EVENT, reason: "x".repeat(2 ** 20) }, PLACE, KEY);
  expect(openEnvelope(recordOf(content), [KEY])).toEqual({ is: "text", why: "malformed" });
});

test("a signer without a verifier is refused", () => {
  const { verifier: _, ...signer } = createNoteSigner(createNoteKeys("k", SECRET).signerKey);
  expect(() => createSignatureKey(signer)).toThrow(expect.objectContaining({ code: "invalid-key" }));
});

test("a recorder signs with Ed25519, and its events are read with the public key", async () => {
  const store = temporaryFolder();
  const { signerKey, verifierKey } = createNoteKeys("example.com/recorder", SECRET);
  const recorder = await record({ store, key: createNoteSigner(signerKey) });
  recorder.record({ kind: "refused", tool: "move_file" });
  await recorder.close();
  const records = (await entriesOf(chainOf(recorder, store))).flatMap((entry) =>
    "record" in entry ? [entry.record] : [],
  );
  const entries = await collect(readEvents(records, { keys: [createNoteVerifier(verifierKey)] }));
  expect(kindsOf(entries)).toEqual(["session-start", "refused", "session-end"]);
});

test("removed, repeated and moved records are reported", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  for (let call = 0; call < 8; call++) recorder.record({ kind: "call", call: `c${call}` });
  await recorder.close();
  const whole = await entriesOf(chainOf(recorder, store));
  const records = whole.flatMap((entry) => ("record" in entry ? [entry.record] : []));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(records.length - 1), { maxLength: 14 }), async (chosen) => {
      const entries = await collect(
        readEvents(
          chosen.map((index) => records[index]),
          { keys: [SECRET] },
        ),
      );
      const events = entries.flatMap((entry) => (entry.is === "event" ? [entry.event.sequence] : []));
      expect(events).toEqual([...new Set(events)].sort((a, b) => a - b));
      const missing = entries.reduce((sum, entry) => sum + (entry.is === "missing" ? entry.count : 0), 0);
      // All numbers up to the last are present, or reported as missing.
      expect(events.length + missing).toBe((events.at(-1) ?? -1) + 1);
      const isEnded = events.includes(records.length - 1);
      expect(entries.some((entry) => entry.is === "not-ended")).toBe(events.length > 0 && !isEnded);
    }),
  );
});

test("the message of an error shows invisible characters of the names in it", () => {
  const event = { kind: "refused", "a\u001b\u202e": 1 } as unknown as EventInput & typeof EVENT;
  expect(() => sealEvent(event, PLACE, KEY)).toThrow(RecorderError);
  expect(() => sealEvent(event, PLACE, KEY)).toThrow("/a\\u{1b}\\u{202e}");
});
