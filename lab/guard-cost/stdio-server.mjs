import { createInterface } from "node:readline";
import { answerTo } from "./answers.mjs";

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answerTo(message) })}\n`);
});
