// Packs the Rust crate, and uses the package in an empty project, with only the feature `pins`, as its README shows.
import { strict as assert } from "node:assert";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runIn } from "./project.ts";
import { readmeProgram } from "./readme-program.ts";

/** A crate as packed by cargo. */
export interface PackedCrate {
  /** The file that is published. */
  readonly file: string;
  /** The folder with its contents. */
  readonly folder: string;
}

/** The most crates that the feature `pins` may need, including the crate itself. */
const MOST_CRATES = 10;
/** Crates that the pins do not need. */
const NOT_FOR_PINS = /^(aes|aes-gcm|ed25519-dalek|regex) /m;

/**
 * Packs the crate in the folder `source`, builds it from its package file if `verify` is set, and unpacks it below
 * `folder`.
 */
export function packCrate(source: string, folder: string, { verify }: { verify: boolean }): PackedCrate {
  const env = { CARGO_TARGET_DIR: join(folder, "target") };
  mkdirSync(folder, { recursive: true });
  runIn(source, env)("cargo", ["package", "--locked", "--allow-dirty", ...(verify ? [] : ["--no-verify"])]);
  const [crate = ""] = globSync("package/*.crate", { cwd: env.CARGO_TARGET_DIR });
  const file = join(env.CARGO_TARGET_DIR, crate);
  runIn(folder, {})("tar", ["-xzf", file]);
  return { file, folder: join(folder, basename(crate, ".crate")) };
}

/**
 * Runs the program in a packed crate's README in an empty project, and checks the dependencies of the feature `pins`.
 * Returns the project.
 */
export function useCrate(crate: PackedCrate, folder: string): string {
  const project = join(folder, "stranger");
  const env = { CARGO_TARGET_DIR: join(folder, "target") };
  runIn(folder, env)("cargo", ["init", "--quiet", "--name", "stranger", "--vcs", "none", "stranger"]);
  const run = runIn(project, env);
  const add = ["add", "--quiet", "--path", crate.folder, "--no-default-features", "--features", "pins"];
  run("cargo", add);
  const { source, printed } = readmeProgram(readFileSync(join(crate.folder, "README.md"), "utf8"), "main.rs");
  writeFileSync(join(project, "src/main.rs"), source);
  assert.equal(run("cargo", ["run", "--quiet"]).stdout, printed);
  const { stdout } = run("cargo", [
    "tree",
    "--package",
    "agentprint",
    "--edges",
    "normal",
    "--prefix",
    "none",
    "--no-dedupe",
  ]);
  const crates = new Set(stdout.trim().split("\n"));
  assert.ok(
    crates.size <= MOST_CRATES,
    `the feature pins needs ${crates.size} crates, expected at most ${MOST_CRATES}`,
  );
  assert.doesNotMatch(stdout, NOT_FOR_PINS);
  return project;
}
