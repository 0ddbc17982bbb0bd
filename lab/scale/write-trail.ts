// Writes a trail as `agentprint trail export` does, as lines and as rows: write-trail.ts <records> <folder> [records of
// a task]. Every 100,003rd record is altered after it is hashed.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import type { ThoughtRecord } from "@agentprint/trail/record";

const ALTERED_EACH = 100_003;
const CONTENT = "c".repeat(180);

async function writeTrail(records: number, folder: string, inTask: number): Promise<void> {
  const lines = createWriteStream(join(folder, "trail.jsonl"));
  const rows = createWriteStream(join(folder, "rows.ndjson"));
  let last: ThoughtRecord | null = null;
  for (let index = 0; index < records; index++) {
    const position = index % inTask;
    const task = `task-${(index - position) / inTask}`;
    const fields = {
      type: "plan",
      task_id: task,
      agent_id: "planner",
      content: `Thought ${index}: ${CONTENT}`,
    } as const;
    last = createThought(fields, position === 0 ? null : last, { now: "2026-01-01T00:00:00.000Z", id: `id-${index}` });
    const written = index % ALTERED_EACH === ALTERED_EACH - 1 ? { ...last, content: "altered" } : last;
    const line = formatThoughtLine(written).trimEnd();
    const isFull = [lines.write(`${line}\n`), rows.write(`${JSON.stringify({ store: "s", task, position, line })}\n`)];
    if (isFull[0] === false) await once(lines, "drain");
    if (isFull[1] === false && rows.writableNeedDrain) await once(rows, "drain");
  }
  await Promise.all([lines, rows].map((file) => once(file.end(), "finish")));
}

const [records, folder = ".", inTask = "10000"] = process.argv.slice(2);
await writeTrail(Number(records), folder, Number(inTask));
