// Appends thoughts to one task, several of them together if requested, and writes each id to stdout once it is
// acknowledged. Usage: append-worker.ts <url> <task> <writer> <count> [together]
import { writeSync } from "node:fs";
import { openTrailStore } from "../src/index.ts";

const [url = "", taskId = "", writer = "", count = "0", together = "1"] = process.argv.slice(2);
const store = await openTrailStore(url, { retryForMs: 120_000 });

async function append(index: number): Promise<void> {
  const id = `${writer}-${index}`;
  const content = `Thought ${index} of writer ${writer}.`;
  await store.append({ id, type: "plan", task_id: taskId, agent_id: writer, content });
  writeSync(1, `${id}\n`);
}

for (let first = 0; first < Number(count); first += Number(together)) {
  await Promise.all(Array.from({ length: Number(together) }, (_, index) => append(first + index)));
}
await store.close();
