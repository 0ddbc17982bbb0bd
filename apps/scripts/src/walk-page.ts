/**
 * Walks through pages as a reader would, with the packed packages: `pnpm --filter scripts walk [page …]`; without a
 * name, through all pages that have commands.
 *
 * In the order of the page, each block with a file name is written to that file, and each line of an `sh` block is run;
 * it has to end with the exit code in `# exits with N`, or with 0. Each line of a `text` block after it has to appear
 * in the output, up to ` …`. The packages of this repository are installed from tarballs; everything else comes from
 * the registry. A line followed by `# answers … at <URL>` runs until the page ends, and the next line runs when the URL
 * answers.
 */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { blocksOf, walkedPages } from "@agentprint/testing/markdown/code-blocks";
import { packPackages, publicPackages, REPOSITORY, withDependencies } from "./packed-packages.ts";

/** The folder of a reader, and the packages installed in it so far. */
interface Reader {
  readonly page: string;
  readonly folder: string;
  readonly installed: string[];
  /** The commands that `npx` has already found. */
  readonly found: Set<string>;
  /** The process groups of the running servers. */
  readonly running: number[];
}

const root = mkdtempSync(join(tmpdir(), "walk-"));
const packages = publicPackages();
const tarballs = new Map<string, string>();
/**
 * Folders by the installing lines that were run in them: a later reader with the same lines copies the folder.
 */
const installations = new Map<string, string>();
/** The tools of this machine, without those of the workspace. */
const PATH = [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(":")]
  .filter((part) => !part.startsWith(join(REPOSITORY, "node_modules", ".bin")))
  .join(":");
const { NODE_OPTIONS: _, npm_config_user_agent: __, ...env } = process.env;
/** The variable that shows a command that `npx` started it. */
const OF_NPX = { npm_config_user_agent: "npm/?" };

try {
  const pages = process.argv.slice(2);
  for (const page of pages.length > 0 ? pages : walkedPages()) walk(page);
} catch (error) {
  console.log(`Error: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}

function walk(page: string): void {
  const started = performance.now();
  const reader: Reader = {
    page,
    folder: mkdtempSync(join(root, "reader-")),
    installed: [],
    found: new Set(),
    running: [],
  };
  let steps = 0;
  let printed = "";
  try {
    for (const { language, file, code, reason } of blocksOf(page)) {
      if (reason !== undefined) continue;
      if (file !== "") writeFileSync(join(reader.folder, file), code);
      else if (language === "text" && steps > 0) expectPrinted(page, code, printed);
      else if (language === "sh") {
        const lines = code.trimEnd().split("\n");
        printed = lines.map((line) => run(reader, line)).join("");
        steps += lines.length;
      }
    }
  } finally {
    for (const group of reader.running) process.kill(-group);
  }
  if (steps === 0) throw new Error(`${page}: expected a block of commands`);
  console.log(`${page}: ${steps} commands ended as the page says (${seconds(started)})`);
}

/** Runs a line in the reader's folder; returns its output. */
function run(reader: Reader, line: string): string {
  const expected = Number(/# exits with (\d+)$/.exec(line)?.[1] ?? 0);
  const started = performance.now();
  if (line.startsWith("npm install ") && copyInstallation(reader, line)) return "";
  const [, url] = /# answers .*?at (http:\S+)$/.exec(line) ?? [];
  if (url !== undefined) return start(reader, line, url);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", withoutNpx(reader, fromTarballs(line))], {
    cwd: reader.folder,
    encoding: "utf8",
    env: { ...env, PATH, ...(/\bnpx /.test(line) && OF_NPX) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  console.log(`$ ${line} (${seconds(started)})`);
  if (status !== expected) {
    throw new Error(`${reader.page}: expected exit code ${expected}, received ${status}: ${line}\n${stdout}${stderr}`);
  }
  if (line.startsWith("npm install ")) keepInstallation(reader);
  return stdout + stderr;
}

/**
 * Replaces `npx`, which takes longer than most commands: it resolves each command once per page, and later runs start
 * the resolved program.
 */
function withoutNpx({ folder, found }: Reader, line: string): string {
  return line.replaceAll(/\bnpx (?:@\w+\/)?(\w[\w-]*)/g, (all, name: string) => {
    const command = join("node_modules", ".bin", name);
    const isKnown = found.has(name) && existsSync(join(folder, command));
    found.add(name);
    return isKnown ? command : all;
  });
}

/** Runs a line in its own process group until the page ends; returns when `url` answers. */
function start({ page, folder, running }: Reader, line: string, url: string): string {
  const child = spawn("sh", ["-c", line], { cwd: folder, detached: true, env: { ...env, PATH }, stdio: "ignore" });
  running.push(child.pid as number);
  const asked = [
    "--silent",
    "--output",
    "/dev/null",
    "--retry",
    "60",
    "--retry-connrefused",
    "--retry-delay",
    "1",
    url,
  ];
  const { status } = spawnSync("curl", asked);
  if (status !== 0) throw new Error(`${page}: nothing answers at ${url}: ${line}`);
  console.log(`$ ${line}`);
  return "";
}

/**
 * Notes an installing line; if another reader has run the same lines, copies that reader's folder and returns true.
 */
function copyInstallation({ folder, installed }: Reader, line: string): boolean {
  installed.push(line);
  const from = installations.get(installed.join("\n"));
  if (from === undefined) return false;
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  // Hard links are enough, because installed files are only read.
  spawnSync("cp", ["-al", join(from, "node_modules"), folder]);
  copyFileSync(join(from, "package-lock.json"), join(folder, "package-lock.json"));
  const { dependencies } = JSON.parse(readFileSync(join(from, "package.json"), "utf8")) as { dependencies: object };
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, dependencies }));
  return true;
}

function keepInstallation({ folder, installed }: Reader): void {
  const kept = mkdtempSync(join(root, "installed-"));
  spawnSync("cp", ["-al", join(folder, "node_modules"), kept]);
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(folder, file), join(kept, file));
  installations.set(installed.join("\n"), kept);
}

/**
 * Returns an installing line in which tarballs and their dependencies replace the names of this repository's packages.
 */
function fromTarballs(line: string): string {
  if (!line.startsWith("npm install ")) return line;
  const words = line.split(" ");
  const own = withDependencies(
    words.filter((word) => packages.has(word)),
    packages,
  );
  const missing = [...own].filter((name) => !tarballs.has(name));
  for (const [name, path] of packPackages(missing, root)) tarballs.set(name, path);
  const others = words.filter((word) => !packages.has(word));
  return [
    ...others,
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    ...Array.from(own, (name) => tarballs.get(name)),
  ].join(" ");
}

function expectPrinted(page: string, body: string, printed: string): void {
  const missing = body.split("\n").filter((line) => !printed.includes(line.trim().replace(/ …$/, "")));
  if (missing.length > 0) throw new Error(`${page}: expected ${JSON.stringify(missing)}, received\n${printed}`);
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
