import { existsSync, writeFileSync } from "node:fs";
import { sendResult, serve, tool } from "./protocol.mjs";

// Says that it was asked by writing one file, and answers when there is another.
const gate = process.env["HOSTILE_GATE"] ?? "";
serve(({ id }) => {
  writeFileSync(`${gate}.asked`, "");
  const timer = setInterval(() => {
    if (!existsSync(gate)) return;
    clearInterval(timer);
    sendResult(id, { tools: [tool("read", process.env["HOSTILE_TEXT"])] });
  }, 20);
});
