import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { sync as spawnSync } from "cross-spawn";
import { REPOSITORY } from "../packed-packages.ts";

/** Options for running a program. */
interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** The expected exit code; 0 by default. */
  readonly code?: number | "any";
}

/** The output of a program. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in one folder. Throws if its exit code is not the expected one; the message contains its output. */
export type Run = (program: string, words: readonly string[], options?: RunOptions) => Printed;

/** A folder outside the workspace, in which a stranger works. */
export interface Project {
  readonly folder: string;
  readonly run: Run;
  /** Installs packages with npm. */
  readonly install: (...wanted: readonly string[]) => void;
  /** The path of an installed package's command. */
  readonly bin: (name: string) => string;
}

/** The tools of this machine, without those of the workspace. */
const PATH = [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(delimiter)]
  .filter((part) => !part.startsWith(join(REPOSITORY, "node_modules", ".bin")))
  .join(delimiter);
const MAX_OUTPUT_BYTES = 2 ** 28;

/** Returns a function that runs programs in a folder; `env` is added to their variables. */
export function runIn(folder: string, env: NodeJS.ProcessEnv): Run {
  const { NODE_OPTIONS: _, ...own } = process.env;
  return (program, words, { env: more, input = "", code = 0 } = {}) => {
    const { status, stdout, stderr, error } = spawnSync(program, words, {
      cwd: folder,
      encoding: "utf8",
      env: { ...own, PATH, ...env, ...more },
      input,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    if (error) throw error;
    if (code === "any" || status === code) return { stdout, stderr };
    const command = [program, ...words].join(" ").slice(0, 300);
    throw new Error(`expected exit code ${code}, received ${status}: ${command}\n${stdout}${stderr}`);
  };
}

/** Makes a folder with an empty `package.json` that uses a registry on this machine, by default npm's own setting. */
export function makeProject(folder: string, registry?: LocalRegistry): Project {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "stranger", version: "1.0.0", private: true }));
  if (registry) writeFileSync(join(folder, ".npmrc"), registry.npmrc);
  const run = runIn(folder, registry?.env ?? {});
  return {
    folder,
    run,
    install: (...wanted) => run("npm", ["install", "--no-audit", "--no-fund", ...wanted]),
    bin: (name) => join(folder, "node_modules", ".bin", name),
  };
}
