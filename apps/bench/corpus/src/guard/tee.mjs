// Starts the server that `served.json` names and writes down both directions, byte for byte: `seen.log` has what came to the
// server, `said.log` what the server said. No TypeScript: its file is what is pinned, and it starts fast.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { program, answersCalls } = JSON.parse(readFileSync("served.json", "utf8"));
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: ["pipe", "pipe", "inherit"] });

/** In place of a server without an account or a browser: each call is answered, and reaches nobody else. */
function takeLine(line) {
  const { id, method } = JSON.parse(line);
  if (method !== "tools/call") child.stdin.write(`${line}\n`);
  else process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [], isError: true } })}\n`);
}

process.stdin.on("data", (chunk) => {
  appendFileSync("seen.log", chunk);
  if (!answersCalls) child.stdin.write(chunk);
});
if (answersCalls) createInterface({ input: process.stdin }).on("line", takeLine);
process.stdin.on("end", () => child.stdin.end());
child.stdout.on("data", (chunk) => {
  appendFileSync("said.log", chunk);
  process.stdout.write(chunk);
});
child.on("exit", (code) => process.exit(code ?? 1));
