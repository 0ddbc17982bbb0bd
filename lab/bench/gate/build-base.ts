import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { linkModules } from "./link-modules.ts";
import { projectFolders, withDependencies } from "./projects.ts";

const LOCK = "pnpm-lock.yaml";
/**
 * The bundlers with which a `build` script may begin. Types are left out. An older base is built with tsup, as it was
 * then.
 */
const BUNDLERS: Readonly<Record<string, readonly string[]>> = {
  tsdown: ["--no-dts", "--log-level", "error"],
  tsup: ["--no-dts", "--silent"],
  rolldown: ["--config", "rolldown.config.ts"],
};
/**
 * The projects whose code the benchmarks run; their dependencies are built as well. An older base has its benchmarks in
 * `apps/bench`.
 */
const MEASURED = ["apps/cli", "apps/bench", "lab"];
/** The number of bases kept for a checkout. */
const KEPT = 3;

/**
 * Returns a folder with a commit's built packages and this checkout's benchmarks, so that both builds do the same work.
 * The folder is kept for the next run. Throws if the commit cannot be built.
 */
export function buildBase(root: string, commit: string): { readonly folder: string; readonly benchmarks: string } {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const bases = join(cache, "agentprint-bench", digest(root));
  const folder = join(bases, commit);
  mkdirSync(bases, { recursive: true });
  if (!existsSync(folder)) place(folder, (made) => build(root, commit, made));
  // A folder that another process is still filling or removing has a longer name.
  const old = readdirSync(bases).filter((name) => name !== commit && name.length === commit.length);
  const age = (name: string): number => -(statSync(join(bases, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  old.sort((a, b) => age(a) - age(b));
  for (const name of old.slice(KEPT - 1)) removeWhole(join(bases, name));
  return { folder, benchmarks: addBenchmarks(root, folder) };
}

/** Returns whether both builds use the same third-party packages. */
export function hasSameLock(root: string, base: string): boolean {
  return readFileSync(join(root, LOCK)).equals(readFileSync(join(base, LOCK)));
}

function build(root: string, commit: string, base: string): void {
  const tar = join(base, "base.tar");
  run(root, "git", "archive", "--format=tar", `--output=${tar}`, commit);
  run(base, "tar", "-xf", tar);
  rmSync(tar);
  if (hasSameLock(root, base)) {
    for (const project of [".", ...projectFolders(base)]) linkModules(root, project, base);
  } else {
    run(base, "pnpm", "install", "--frozen-lockfile", "--prefer-offline");
  }
  for (const project of withDependencies(base, MEASURED)) {
    const manifest = join(base, project, "package.json");
    if (!existsSync(manifest)) continue;
    const { scripts } = JSON.parse(readFileSync(manifest, "utf8"));
    const [bundler = ""] = (scripts?.build ?? "").split(" ");
    const args = BUNDLERS[bundler];
    if (args) run(join(base, project), join(base, "node_modules/.bin", bundler), ...args);
  }
}

/** Puts this checkout's benchmarks next to the base's packages; returns their folder. */
function addBenchmarks(root: string, base: string): string {
  const lab = join(root, "lab");
  const files = globSync("bench/**/*", { cwd: lab }).filter((file) => statSync(join(lab, file)).isFile());
  const contents = files.sort().map((file) => [file, digest(readFileSync(join(lab, file)))]);
  const name = `bench-${digest(JSON.stringify([contents, digest(readFileSync(join(root, LOCK)))]))}`;
  const folder = join(base, name);
  if (!existsSync(folder)) {
    place(folder, (made) => {
      cpSync(join(lab, "bench"), join(made, "bench"), { recursive: true });
      linkModules(root, "lab", base, made);
    });
  }
  return folder;
}

/** Fills a folder under a temporary name, so that under its own name it is either complete or absent. */
function place(folder: string, fill: (made: string) => void): void {
  const made = mkdtempSync(`${folder}-`);
  try {
    fill(made);
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process was first
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Renames a folder and then removes it, so that no process finds a part of it under its own name. */
function removeWhole(folder: string): void {
  const removed = mkdtempSync(`${folder}-`);
  try {
    renameSync(folder, removed);
  } catch (error) {
    if (existsSync(folder)) throw error; // else another process was first
  } finally {
    rmSync(removed, { recursive: true, force: true });
  }
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const env = { ...process.env, pnpm_config_verify_deps_before_run: "false" };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", env });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]}: exit code ${status}\n${`${stdout}${stderr}`.slice(-9000)}`);
  return stdout;
}

function digest(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex").slice(0, 16);
}
