import { existsSync, writeFileSync } from "node:fs";
import { sendResult, serve, tool } from "./protocol.mjs";

// Writes a file when a request arrives, and answers once another file exists.
const gate = process.env["HOSTILE_GATE"] ?? "";
serve(({ id }) => {
  writeFileSync(`${gate}.asked`, "");
  const timer = setInterval(() => {
    if (!existsSync(gate)) return;
    clearInterval(timer);
    sendResult(id, { tools: [tool("read", process.env["HOSTILE_TEXT"])] });
  }, 20);
});
