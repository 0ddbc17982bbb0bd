// Starts the server that `served.json` names, and logs both directions byte for byte: the server's input in `seen.log`,
// its output in `said.log`. This is not TypeScript, because the file itself is pinned and should start quickly.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { program, answersCalls } = JSON.parse(readFileSync("served.json", "utf8"));
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: ["pipe", "pipe", "inherit"] });

/** Stands in for a server that needs an account or a browser: answers each call itself. */
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
