// Compares what the server offers with `agentprint.lock`, as `agentprint check` does for a user; with `--renew`, writes
// the lock again. The server is started with its own, empty trail.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = "--conditions=@agentprint/source";
const COMMAND_LINE = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));
const TRAIL = "AGENTPRINT_TRAIL_URL";

const folder = mkdtempSync(join(tmpdir(), "mcp-server-pin-"));
const lock = ["--lock", "agentprint.lock", "--env", TRAIL];
const launch = ["--name", "agentprint", "--replace", "--", "node", SOURCE, "src/main.ts"];
const words = process.argv.includes("--renew") ? ["pin", ...lock, ...launch] : ["check", ...lock];
const { status } = spawnSync(process.execPath, [SOURCE, COMMAND_LINE, ...words], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  env: { ...process.env, [TRAIL]: `file:${join(folder, "trail.db")}` },
  stdio: "inherit",
});
rmSync(folder, { recursive: true });
process.exitCode = status ?? 2;
