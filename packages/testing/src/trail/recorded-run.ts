import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRecorder, type RecorderOptions } from "@agentprint/recorder";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import type { ThoughtRecord } from "@agentprint/trail/record";

/** The secret of the recorder in these tests. */
export const SECRET: Uint8Array = new Uint8Array(32).fill(7);

/** Strings that a page or a terminal would interpret if they were not escaped. */
export const HOSTILE_TEXTS: readonly string[] = [
  "</script><script>document.title = 'owned'</script>",
  "<!--<script>",
  "--><img src=x onerror=\"document.title='owned'\">",
  '" onfocus="document.title=1" autofocus="',
  "\u202eelif_eteled\u202c \u2066hidden\u2069",
  "\u001b[2J\u001b]0;owned\u0007",
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  "__proto__",
  "constructor",
  "lone \ud800 and \udc00",
  "]]>&amp;&#60;script&#62;",
  "line\nline\r\n\u2028line\u0000",
  "",
];

/** Records a run with every kind of event, into `<folder>/<session>.jsonl`. */
export async function recordRun(folder: string, sessionId: string): Promise<void> {
  const recorder = await createRecorder({ store: folder, key: SECRET, agentId: "planner", sessionId });
  recorder.think({ type: "plan", content: "Read the file, then delete it." });
  recorder.record({ kind: "link", digests: { capabilities: "ab".repeat(32) } });
  recorder.record({ kind: "call", call: "c1", server: "files", tool: "read_file" });
  recorder.record({ kind: "call", call: "c2", server: "files", tool: "stat" });
  recorder.record({ kind: "result", call: "c2", server: "files", tool: "stat", outcome: "error", code: -32000 });
  recorder.record({ kind: "result", call: "c1", server: "files", tool: "read_file", outcome: "ok" });
  const findings = ["mcp/unpinned-tool"];
  recorder.record({ kind: "refused", server: "files", tool: "delete_file", decision: "block", findings });
  recorder.record({ kind: "fault", lost: 3, reason: "queue-full" });
  const model = { "gen_ai.request.model": "example-1" };
  recorder.record({ kind: "model-call", call: "m1", attributes: model });
  recorder.record({ kind: "model-result", call: "m1", attributes: model, outcome: "ok" });
  recorder.record({ kind: "call", call: "c3", server: "files", tool: "never_ends" });
  await recorder.close();
}

/** Returns the lines of the recorded chain. */
export function linesIn(folder: string, sessionId: string): string[] {
  return readFileSync(join(folder, `${sessionId}.jsonl`), "utf8").split(/(?<=\n)/);
}

/** Returns the lines of a chain of thoughts. */
export function chainOf(task: string, contents: readonly string[]): string {
  let previous: ThoughtRecord | null = null;
  return contents
    .map((content, index) => {
      const sources = { id: `${task}.${index}`, now: "2026-04-01T12:00:00.000Z" };
      previous = createThought({ task_id: task, agent_id: "planner", type: "plan", content }, previous, sources);
      return formatThoughtLine(previous);
    })
    .join("");
}

/** Records a run with the given number of records: a start, calls with their results and digests, and an end. */
export async function recordCalls(
  folder: string,
  sessionId: string,
  records: number,
  key: RecorderOptions["key"] = SECRET,
): Promise<void> {
  const recorder = await createRecorder({ store: folder, key, agentId: "planner", sessionId });
  for (let index = 0; index < (records - 2) / 2; index++) {
    // On a busy machine, signing takes so long that the store seems dead; only `flush` waits for such a store.
    if (index % 500 === 0) await recorder.flush();
    const call = { call: `c${index}`, server: "files", tool: `tool_${index % 100}` };
    const digestOf = (of: string): string => createHash("sha256").update(`${of} ${index}`).digest("hex");
    recorder.record({ kind: "call", ...call, digests: { arguments: digestOf("arguments") } });
    recorder.record({ kind: "result", ...call, outcome: "ok", digests: { result: digestOf("result") } });
  }
  await recorder.flush();
  await recorder.close();
}
