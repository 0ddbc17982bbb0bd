// Appends thoughts to one task and writes the id of each to stdout once it is acknowledged.
// Usage: append-worker.ts <url> <task> <writer> <count>
import { writeSync } from "node:fs";
import { openTrailStore } from "../src/index.ts";

const [url = "", taskId = "", writer = "", count = "0"] = process.argv.slice(2);
const store = await openTrailStore(url, { retryForMs: 120_000 });
for (let index = 0; index < Number(count); index++) {
  const id = `${writer}-${index}`;
  const content = `Thought ${index} of writer ${writer}.`;
  await store.append({ id, type: "plan", task_id: taskId, agent_id: writer, content });
  writeSync(1, `${id}\n`);
}
await store.close();
