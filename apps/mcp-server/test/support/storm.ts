import { openTrailStore } from "@agentprint/trail-store";
import { connectHttp } from "./http.ts";
import { startProcess } from "./processes.ts";
import { ERAS } from "./server.ts";

const TASK = "storm";

/** Lets `clients` clients of both eras append `thoughts` each to one task; returns the ids of the records that were answered. */
export async function appendAtOnce(urls: readonly string[], clients: number, thoughts: number): Promise<string[]> {
  const append = async (number: number): Promise<string[]> => {
    const client = await connectHttp(urls[number % urls.length] ?? "", ERAS[number % 2] ?? "2026-07-28");
    const ids: string[] = [];
    for (let thought = 0; thought < thoughts; thought++) {
      const id = `${number}-${thought}`;
      const { structuredContent } = await client.call("thought_record", thoughtOf(id));
      if (structuredContent?.id !== id) throw new Error(`the thought ${id} was not recorded`);
      ids.push(id);
    }
    return ids;
  };
  return (await Promise.all(Array.from({ length: clients }, (_, number) => append(number)))).flat();
}

/** Kills a server `rounds` times while clients append; returns the ids of the records that were answered. */
export async function killRounds(trail: string, rounds: number, clients: number): Promise<string[]> {
  const answered: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startProcess(trail);
    let isRunning = true;
    let enough = (): void => {};
    const isEnough = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const append = async (number: number): Promise<void> => {
      const client = await connectHttp(server.url, ERAS[number % 2] ?? "2026-07-28");
      for (let thought = 0; isRunning; thought++) {
        const result = await client.call("thought_record", thoughtOf(`${round}-${number}-${thought}`));
        answered.push(result.structuredContent.id);
        if (thought === 3) enough();
      }
    };
    const appending = Array.from({ length: clients }, (_, number) => append(number).catch(() => {}));
    await isEnough;
    await server.kill();
    isRunning = false;
    await Promise.all(appending);
  }
  return answered;
}

/** Checks that the chain of the task is whole and has every answered record; returns its length. */
export async function checkWhole(trail: string, answered: readonly string[]): Promise<number> {
  const store = await openTrailStore(trail, { create: false });
  try {
    const report = await store.verify(TASK);
    if (!report.ok) throw new Error(`the chain is not whole: ${report.problems[0]?.message}`);
    const recorded = new Set<string>();
    for await (const { id } of store.read(TASK)) recorded.add(id);
    const lost = answered.filter((id) => !recorded.has(id));
    if (lost.length > 0) throw new Error(`acknowledged and lost: ${lost.join(", ")}`);
    return report.length;
  } finally {
    await store.close();
  }
}

function thoughtOf(id: string): object {
  return { type: "decision", task_id: TASK, content: `Thought ${id}.`, id };
}
