/**
 * A host with a guard: it starts the guard with its own arguments, and records everything that a client sees through
 * it. If it runs in the same folder again, it exits with 1 if a client sees a difference or the guard reports
 * something, and otherwise with 0.
 */
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { startProgram } from "@agentprint/testing/programs";

const SEEN = "seen.json";
const [program = "", ...words] = process.argv.slice(2);
const guard = await startProgram(program, words);
const ended = once(guard, "close");
let reported = "";
guard.stderr.on("data", (chunk: Buffer) => {
  reported += chunk.toString("utf8");
});
const answers = createInterface({ input: guard.stdout })[Symbol.asyncIterator]();

async function ask(id: number, method: string, params: object): Promise<Record<string, unknown>> {
  guard.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  for (;;) {
    const { value, done } = await answers.next();
    if (done === true) throw new Error(`the guard ended: ${reported}`);
    const answer = JSON.parse(value) as { readonly id?: number; readonly result?: Record<string, unknown> };
    if (answer.id === id) return answer.result ?? {};
  }
}

const clientInfo = { name: "host", version: "1.0.0" };
const greeting = await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
guard.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
const { tools } = await ask(2, "tools/list", {});
guard.stdin.end();
await ended;

const names = (tools as { readonly name: string }[]).map(({ name }) => name).sort();
const seen = JSON.stringify({ instructions: greeting["instructions"], names });
if (!existsSync(SEEN)) writeFileSync(SEEN, seen);
if (readFileSync(SEEN, "utf8") !== seen || reported !== "") {
  process.stderr.write(`${seen}\n${reported}`);
  process.exitCode = 1;
}
