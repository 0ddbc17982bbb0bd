import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { Workspace } from "../support/workspace.ts";

const SERVER = fileURLToPath(new URL("fault-server.mjs", import.meta.url));
/** Options that make a guard record to the folder. */
export const RECORD: readonly string[] = ["--record", "trail", "--record-key", "recorder.key"];

/** Creates a folder with a pinned server that hangs, dies or floods on request. */
export async function pinned(tools = 0): Promise<Workspace> {
  const space = new Workspace();
  onTestFinished(() => space[Symbol.dispose]());
  if (tools > 0) writeFileSync(space.path("count.txt"), String(tools));
  const { code, stderr } = await space.run(["pin", "--name", "faults", "--", process.execPath, SERVER]);
  if (code !== 0) throw new Error(stderr);
  return space;
}

/** Returns the calls that reached the server. */
export const seen = (space: Workspace): string[] =>
  existsSync(space.path("seen.log")) ? readFileSync(space.path("seen.log"), "utf8").trim().split("\n") : [];

/** Returns the id of the server's process. */
export const pidOf = (space: Workspace): number => Number(readFileSync(space.path("pid"), "utf8"));

export const until = (isSo: () => boolean): Promise<void> => expect.poll(isSo, { interval: 20 }).toBe(true);

/** Returns the recorded events. */
// biome-ignore lint/suspicious/noExplicitAny: as they are printed
export async function recordedEvents(space: Workspace): Promise<any[]> {
  const { stdout } = await space.run(["guard", "log", ...RECORD, "--format", "json"]);
  const entries = stdout.trim().split("\n");
  return entries.flatMap((line) => JSON.parse(line).event ?? []);
}

/** Returns how many calls passed according to the record, not counting those refused afterwards. */
export async function recordedCalls(space: Workspace): Promise<number> {
  return (await recordedEvents(space)).filter(({ kind }) => kind === "call").length;
}
