/**
 * Runs `agentprint init` and then `agentprint check` twice, the second time with the clock a day ahead, in a copy of
 * each repository in a folder, and prints a table of the pinned servers and the checks' results. `--write` also writes
 * it into docs/repositories.md.
 *
 * Usage: node src/repositories/main.ts [--write] <folder>. The servers in the configurations are started, so run this
 * as a user who has nothing to lose. The command `faketime` sets the servers' clocks.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withPart } from "@agentprint/testing/markdown/markdown-part";
import { shiftedPrograms } from "./shifted-programs.ts";
import { tableOf } from "./table.ts";
import { type Tried, tryRepository } from "./try-repository.ts";

const PAGE = fileURLToPath(new URL("../../docs/repositories.md", import.meta.url));
const AT_ONCE = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: node src/repositories/main.ts [--write] <folder>");

const scratch = mkdtempSync(join(tmpdir(), "repositories-"));
try {
  const programs = shiftedPrograms(scratch, "+1d");
  const left = readdirSync(folder).filter((name) => !name.startsWith("."));
  const tried: Tried[] = [];
  const next = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const one = await tryRepository(resolve(folder, name), name.replace("+", "/"), { scratch, programs });
      tried.push(one);
      process.stderr.write(`${tried.length}: ${JSON.stringify(one)}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const table = tableOf(tried);
  process.stdout.write(`${table}\n`);
  if (values.write) writeFileSync(PAGE, withPart(readFileSync(PAGE, "utf8"), "repositories", table));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
