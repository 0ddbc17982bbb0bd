import { spawn } from "node:child_process";
import { sendResult, serve, tool } from "./protocol.mjs";

// Leaves three processes behind: one in its group, one in its own session, and one that also has no environment. They
// hold its stdout open and ignore requests to end. Their ids are written to the file named in HOSTILE_PIDS.
const STAY = `process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); setInterval(() => {}, 1000);
  require("node:fs").appendFileSync(process.argv[1], process.pid + "\\n");`;
const file = process.env["HOSTILE_PIDS"] ?? "";
for (const options of [{}, { detached: true }, { detached: true, env: {} }]) {
  spawn(process.execPath, ["-e", STAY, file], { stdio: ["ignore", "inherit", "ignore"], ...options }).unref();
}
if (process.env["HOSTILE_EXIT"]) {
  setInterval(async () => {
    const { readFileSync } = await import("node:fs");
    if (readFileSync(file, "utf8").trim().split("\n").length >= 3) process.exit(0);
  }, 20);
} else {
  serve(async ({ id }) => {
    const { existsSync, readFileSync } = await import("node:fs");
    while (!existsSync(file) || readFileSync(file, "utf8").trim().split("\n").length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (process.env["HOSTILE_HANG"] === undefined) sendResult(id, { tools: [tool("fork")] });
  });
}
