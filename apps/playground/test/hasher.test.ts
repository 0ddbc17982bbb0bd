import { createHash } from "node:crypto";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { expect, test } from "vitest";
import { hashLines } from "../src/engine/hash-lines.ts";
import { hashThrough } from "../src/engine/hash-through.ts";
import { trailJob } from "../src/trail/trail-job.ts";

/** The end of a channel at whose other end texts are hashed, as the hasher does. */
function portToHasher(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }: MessageEvent<string>) => port2.postMessage(hashLines(data));
  return port1;
}

test("texts are hashed at the other end of a port, also while earlier ones are under way", async () => {
  const port = portToHasher();
  const hashTexts = hashThrough(port);
  const questions = [["a", "é\u2028", ""], [""], Array.from({ length: 300 }, (_, index) => `text ${index}`)];
  const answers = await Promise.all(questions.map((texts) => hashTexts(texts)));
  const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
  expect(answers).toEqual(questions.map((texts) => texts.map(digestOf)));
  port.close();
});

test("a trail is verified with them as without them", async () => {
  const fields = { task_id: "t", agent_id: "planner", type: "plan", content: 'line\n"feed" \u2028 é' } as const;
  const first = createThought(fields, null, { id: "r1", now: "2026-04-01T12:00:00.000Z" });
  const second = createThought(fields, first, { id: "r2", now: "2026-04-01T12:00:00.000Z" });
  const trail = [first, { ...second, content: "altered" }].map((record) => formatThoughtLine(record)).join("");
  const input = { trail, checkpoint: "", key: "", origin: "", task: "" };
  const port = portToHasher();
  const { milliseconds: _, ...result } = await trailJob(input, () => {}, hashThrough(port));
  expect(result).toMatchObject({ ok: false, problems: [{ kind: "altered", at: 1 }] });
  expect(await trailJob(input, () => {})).toMatchObject(result);
  port.close();
});
