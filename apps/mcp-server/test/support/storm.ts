import { openTrailStore } from "@agentprint/trail-store";
import { connectHttp, post } from "./http.ts";
import { BODY_LIMIT, startProcess } from "./processes.ts";
import { ERAS, messageOf } from "./server.ts";

export const TASK = "storm";

/**
 * Lets `clients` clients of both eras append `thoughts` thoughts each to one task; returns the ids of the acknowledged
 * records.
 */
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

/**
 * Kills a server `rounds` times while some clients append and others cancel calls and send malformed or oversized
 * messages; checks after each round that no acknowledged record is lost. Returns the ids of the acknowledged records.
 */
export async function killRounds(trail: string, rounds: number, clients: number): Promise<string[]> {
  const answered: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startProcess(trail);
    // The server crashes at a different place each time, while the clients are working.
    const enough = clients + ((round * 7) % 40);
    let count = 0;
    const append = async (number: number): Promise<void> => {
      const client = await connectHttp(server.url, ERAS[number % 2] ?? "2026-07-28");
      for (let thought = 0; ; thought++) {
        const id = `${round}-${number}-${thought}`;
        const result = await client.call("thought_record", thoughtOf(id));
        if (result.structuredContent?.id !== id) throw new Error(`refused: ${JSON.stringify(result)}`);
        answered.push(id);
        if (++count === enough) server.child.kill("SIGKILL");
      }
    };
    const appending = Array.from({ length: clients }, (_, number) => untilGone(append(number)));
    await Promise.all([...appending, untilGone(disturb(server.url, round))]);
    await server.kill();
    await checkWhole(trail, answered);
  }
  return answered;
}

/** Cancels calls and sends malformed and oversized messages until the server is gone. */
async function disturb(url: string, round: number): Promise<never> {
  for (let turn = 0; ; turn++) {
    const call = { name: "thought_record", arguments: thoughtOf(`${round}-cancelled-${turn}`) };
    const headers = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "thought_record",
    };
    const cancelled = new AbortController();
    const message = JSON.stringify(messageOf("2026-07-28", 1, "tools/call", call));
    const posting = post(url, message, headers, cancelled.signal).catch((error: unknown) => {
      if (!cancelled.signal.aborted) throw error;
    });
    const refused = Promise.all([post(url, "{"), post(url, `"${"x".repeat(BODY_LIMIT)}"`)]);
    const [answers] = await Promise.all([refused.finally(() => cancelled.abort()), posting]);
    const statuses = answers.map(({ status }) => status);
    if (statuses.join() !== "400,413") throw new Error(`expected 400 and 413, received ${statuses.join(" and ")}`);
  }
}

/** Ends when the server is gone; any other error is a failure. */
async function untilGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    // `fetch` throws a TypeError if no response or only part of one arrives.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Checks that the task's chain is intact and contains every acknowledged record; returns its length. */
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
