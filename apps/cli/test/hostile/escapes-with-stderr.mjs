import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { sendResult, serve, tool } from "./protocol.mjs";

// Leaves an untraceable process: in another session, without environment or parent. The process holds stderr open, and
// writes its id to the file named in HOSTILE_PIDS.
const file = process.env["HOSTILE_PIDS"] ?? "";
const STAY = `require("node:fs").writeFileSync(process.argv[1], process.pid + "\\n"); setTimeout(() => {}, 600_000);`;
const options = `{ detached: true, env: {}, stdio: ["ignore", "ignore", "inherit"] }`;
const LEAVE = `require("node:child_process").spawn(process.execPath, ["-e", ...process.argv.slice(1)], ${options}).unref();`;
spawnSync(process.execPath, ["-e", LEAVE, STAY, file], { stdio: ["ignore", "ignore", "inherit"] });

serve(({ id }) => {
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    sendResult(id, { tools: [tool("fork")] });
  }, 20);
});
