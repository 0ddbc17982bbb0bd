/**
 * Measures how much memory a guard that records into PostgreSQL uses while the database server runs and after it was
 * stopped, and writes the figures into the README of `@agentprint/guard`. Fails if the difference is more than 64 MB.
 *
 * `--calls <n>` sets the calls per run (200,000); `--dry-run` writes nothing.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startPostgres } from "@agentprint/testing/postgres-server";
import { MACHINE } from "../bench/machine.ts";
import { overPipes } from "./contender.ts";
import { agentprint, run } from "./programs.ts";
import { writeSection } from "./write-section.ts";

const SERVER = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));
const AT_ONCE = 16;
/** The additional memory that a guard may use when its store is stopped, in MiB. */
const MAX_MORE = 64;

const { values } = parseArgs({
  options: { calls: { type: "string", default: "200000" }, "dry-run": { type: "boolean", default: false } },
});
const calls = Number(values.calls);

const folder = mkdtempSync(join(tmpdir(), "agentprint-memory-"));
process.env["XDG_STATE_HOME"] = join(folder, "state");

/** Returns the peak memory in MiB of a guard whose store keeps running or is stopped after the first calls. */
async function measure(isStopped: boolean): Promise<number> {
  const postgres = await startPostgres({ durable: false });
  const store = await postgres.createDatabase("trail");
  const command = agentprint("guard", "echo", "--record", store, "--record-key", "recorder.key");
  await using guard = await overPipes("agentprint guard --record", folder, command);
  await guard.call(5_000, AT_ONCE);
  if (isStopped) await postgres.stop();
  await guard.call(calls, AT_ONCE);
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${guard.pid}/status`, "utf8")) ?? [];
  if (!isStopped) await postgres.stop();
  return Number(kilobytes) / 1024;
}

try {
  run(folder, agentprint("pin", "--name", "echo", "--", process.execPath, SERVER));
  const [writes, stopped] = [await measure(false), await measure(true)];
  const more = stopped - writes;
  const text = `\`agentprint guard --record postgres://…\` took at most ${writes.toFixed(0)} MiB for ${calls.toLocaleString("en")} calls of 1 KB each way, and ${stopped.toFixed(0)} MiB when PostgreSQL was stopped after the first 5,000; the limit is ${MAX_MORE} MiB more. ${MACHINE}.`;
  console.log(text);
  if (!values["dry-run"]) writeSection("memory", text);
  if (!(more <= MAX_MORE)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
