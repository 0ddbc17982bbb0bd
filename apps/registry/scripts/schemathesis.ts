// Checks a registry in its own process against its OpenAPI document, with every check of Schemathesis.
// Usage: schemathesis.ts [examples for each route]; the environment may name the command as SCHEMATHESIS.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess } from "@agentprint/testing/registry-process";
import { prepare } from "../test/support/storm.ts";

const CONFIG = fileURLToPath(new URL("schemathesis.toml", import.meta.url));
const [examples = "50"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "registry-schemathesis-"));
const settings = { database: `file:${join(folder, "registry.db")}`, failure_limit: "1000000" };
try {
  const token = await prepare(settings);
  const registry = await startProcess(settings);
  const args = [
    ...["--config-file", CONFIG, "run", `${registry.url}/openapi.json`, "--checks", "all", "--max-examples", examples],
    // An event stream has no end.
    ...["--exclude-path", "/events", "--header", `Authorization: Bearer ${token}`, "--no-color"],
  ];
  const { status, error } = spawnSync(process.env["SCHEMATHESIS"] ?? "schemathesis", args, {
    cwd: folder,
    stdio: "inherit",
  });
  if (error) console.error(`schemathesis could not be run: ${error.message}`);
  await registry.end();
  process.exitCode = status === 0 ? 0 : status === 1 ? 1 : 2;
} finally {
  rmSync(folder, { recursive: true });
}
