// A host behind a guard: it starts the guard by the words in its arguments, and notes what a client sees through it. In the folder in which it
// ran before, it ends with 1 where a client sees something else, or the guard reports something, and otherwise with 0.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const SEEN = "seen.json";
const [program, ...words] = process.argv.slice(2);
const guard = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"] });
let reported = "";
guard.stderr.on("data", (chunk) => {
  reported += chunk;
});

const waiting = new Map();
createInterface({ input: guard.stdout }).on("line", (line) => {
  const { id, ...answer } = JSON.parse(line);
  waiting.get(id)?.(answer);
});

const send = (message) => guard.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ask = (id, method, params) =>
  new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });

const clientInfo = { name: "host", version: "1.0.0" };
const { result: greeting } = await ask(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo,
});
send({ method: "notifications/initialized" });
const { result: listing } = await ask(2, "tools/list", {});
guard.stdin.end();
await new Promise((resolve) => guard.once("close", resolve));

const names = listing.tools.map(({ name }) => name).sort();
const seen = JSON.stringify({ instructions: greeting.instructions, names });
if (!existsSync(SEEN)) writeFileSync(SEEN, seen);
if (readFileSync(SEEN, "utf8") !== seen || reported !== "") {
  process.stderr.write(`${seen}\n${reported}`);
  process.exitCode = 1;
}
