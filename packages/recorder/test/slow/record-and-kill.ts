import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startProgram } from "@agentprint/testing/programs";
import type { TrailEntry } from "../../src/index.ts";

const WRITER = fileURLToPath(new URL("write-until-killed.ts", import.meta.url));

/** The output of a killed process: its session, and the ids of the records that were acknowledged. */
export interface Killed {
  readonly session: string;
  readonly acknowledged: readonly string[];
}

/** Lets a process record into `store` until `count` records are acknowledged, and kills it while it records more. */
export async function recordAndKill(store: string, count: number): Promise<Killed> {
  const args = ["--conditions=@agentprint/source", WRITER, store];
  return killAfter(await startProgram(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] }), count);
}

/** Kills a process that prints its session and the ids of its records, once `count` of them are acknowledged. */
export async function killAfter(child: ChildProcess, count: number): Promise<Killed> {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    if (text.split("\n").length > count) child.kill("SIGKILL");
  });
  await once(child, "close");
  // The last line may be partial.
  const [session = "", ...acknowledged] = text.split("\n").slice(0, -1);
  return { session, acknowledged };
}

/** Returns the acknowledged ids that no record has. */
export function lostFrom(entries: readonly TrailEntry[], acknowledged: readonly string[]): string[] {
  const ids = new Set(entries.flatMap((entry) => ("record" in entry ? [entry.record.id] : [])));
  return acknowledged.filter((id) => !ids.has(id));
}
