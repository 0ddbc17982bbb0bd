/**
 * Walks through a page of the documentation as a reader would, with the packed packages: `node scripts/walk-page.ts docs/production.md`.
 *
 * In the order of the page, a block with the name of a file is written, and each line of an `sh` block is run; it has to end with the
 * exit code in `# exits with N`, else with 0. Each line of a `text` block behind it has to be part of what was printed. The packages of this
 * repository are installed from tarballs; everything else comes from the registry.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packPackages, publicPackages, REPOSITORY, withDependencies } from "./packed-packages.ts";

const BLOCK = /^```(\w+) ?(\S*)\n(.*?)^```$/gms;
const [page = ""] = process.argv.slice(2);
const text = readFileSync(join(REPOSITORY, page), "utf8");
const folder = mkdtempSync(join(tmpdir(), "walk-"));
const reader = join(folder, "reader");
mkdirSync(reader);
const packages = publicPackages();
/** Tools of this machine, and none of the workspace. */
const PATH = [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(":")]
  .filter((part) => !part.startsWith(join(REPOSITORY, "node_modules", ".bin")))
  .join(":");
const { NODE_OPTIONS: _, ...env } = process.env;

try {
  const steps = walk();
  if (steps === 0) throw new Error(`${page}: expected a block of commands`);
  console.log(`${page}: ${steps} commands ended as the page says`);
} catch (error) {
  console.log(`Error: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function walk(): number {
  let steps = 0;
  let printed = "";
  for (const [, language, file, body = ""] of text.matchAll(BLOCK)) {
    if (file !== undefined && file !== "") writeFileSync(join(reader, file), body);
    else if (language === "text" && steps > 0) expectPrinted(body, printed);
    else if (language === "sh") {
      const lines = body.trimEnd().split("\n");
      printed = lines.map(run).join("");
      steps += lines.length;
    }
  }
  return steps;
}

/** Runs a line in the folder of the reader; what it printed. */
function run(line: string): string {
  const expected = Number(/# exits with (\d+)$/.exec(line)?.[1] ?? 0);
  const started = performance.now();
  const command = line.startsWith("npm install ") ? fromTarballs(line) : line;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: reader,
    encoding: "utf8",
    env: { ...env, PATH },
    stdio: ["ignore", "pipe", "pipe"],
  });
  console.log(`$ ${line} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (status === expected) return stdout + stderr;
  throw new Error(`${page}: expected exit code ${expected}, received ${status}: ${line}\n${stdout}${stderr}`);
}

/** The same with tarballs in place of the names of packages of this repository, and with what these depend on. */
function fromTarballs(line: string): string {
  const words = line.split(" ");
  const own = words.filter((word) => packages.has(word));
  const tarballs = packPackages(withDependencies(own, packages), packages, folder);
  return [...words.filter((word) => !packages.has(word)), "--no-audit", "--no-fund", ...tarballs.values()].join(" ");
}

function expectPrinted(body: string, printed: string): void {
  const missing = body.split("\n").filter((line) => !printed.includes(line));
  if (missing.length > 0) throw new Error(`${page}: expected ${JSON.stringify(missing)}, received\n${printed}`);
}
