import { execFileSync } from "node:child_process";
import { accessSync, constants, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type ProgramEnd, runBeside } from "@agentprint/testing/programs";
import { REPOSITORY } from "../packed-packages.ts";

/** A machine: its programs, and where its user keeps the checkout. */
export interface MachineKind {
  /** A version of Node, which comes with its own npm. */
  readonly node: string;
  readonly npm: string;
  /** The user's home folder, which contains the checkout. */
  readonly home: string;
  readonly hasGit: boolean;
  /** Whether the registry can be reached only through a mirror. */
  readonly hasMirror: boolean;
}

/** A fresh machine: a home folder with only a checkout, and no language runtime except Node. */
export interface Machine {
  readonly checkout: string;
  /** Runs a program in the checkout until it ends. */
  readonly run: (program: string, ...words: readonly string[]) => Promise<ProgramEnd>;
}

/** Programs that a new machine lacks, or has in another version. */
const NOT_THERE =
  /^(?:node|npm|npx|pnpm|pnpx|yarn|corepack|bun|bunx|deno|tsx|python|pip|pipx|uv|go|gofmt|cargo|rustc|rustup|gcc|cc|c\+\+|g\+\+|clang|make|chrom|google-chrome|docker|podman|psql|postgres|pg_)/;
const GIT = /^git/;
/** Variables that configure a system's trusted certificates and proxies. */
const SYSTEM = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|LANG|LC_ALL|(?:https?|no)_proxy)$/i;
/** A proxy that never answers, so that requests to anything but the mirror fail. */
const DEAD_END = "http://127.0.0.1:9/";

/** Makes a machine in an empty folder, with the registry that it uses. */
export function makeMachine(folder: string, kind: MachineKind, registry: string): Machine {
  const home = join(folder, kind.home);
  const checkout = join(home, "agentprint");
  const temporary = join(folder, "tmp");
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(temporary);
  // Both npm and pnpm read this file; each has its own variable that names a registry.
  writeFileSync(join(home, ".npmrc"), `registry=${registry}\n`);
  copyCheckout(checkout, kind.hasGit);
  const found = Object.entries(process.env).filter(([name]) => SYSTEM.test(name));
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(found),
    ...(kind.hasMirror && { HTTPS_PROXY: DEAD_END, https_proxy: DEAD_END, NO_PROXY: "127.0.0.1,localhost" }),
    PATH: [installNode(folder, kind), linkPrograms(folder, kind.hasGit)].join(delimiter),
    HOME: home,
    TMPDIR: temporary,
  };
  return { checkout, run: (program, ...words) => runBeside(program, words, { cwd: checkout, env }) };
}

/** Copies the last commit with its history, or only the files of the checkout. */
function copyCheckout(to: string, hasGit: boolean): void {
  if (hasGit) {
    execFileSync("git", ["clone", "--quiet", REPOSITORY, to]);
    return;
  }
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", words, { cwd: REPOSITORY, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const path of files.filter((path) => existsSync(join(REPOSITORY, path)))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(to, path), { verbatimSymlinks: true });
  }
}

/** Installs Node and its npm, and returns the folder of their programs. */
function installNode(folder: string, { node, npm }: MachineKind): string {
  const prefix = join(folder, "node");
  mkdirSync(prefix);
  writeFileSync(join(prefix, "package.json"), "{}");
  const words = ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${node}`, `npm@${npm}`];
  execFileSync("npm", words, { cwd: prefix, stdio: ["ignore", "ignore", "inherit"] });
  // Every distribution of Node has this folder, and npm 10 does not run without it.
  mkdirSync(join(prefix, "node_modules/node/lib/node_modules"), { recursive: true });
  return join(prefix, "node_modules/.bin");
}

/** Links those programs of this machine that a new one also has into a folder, which it returns. */
function linkPrograms(folder: string, hasGit: boolean): string {
  const programs = join(folder, "bin");
  mkdirSync(programs);
  for (const from of (process.env["PATH"] ?? "").split(delimiter)) {
    if (from.includes("node_modules") || from.startsWith(tmpdir()) || !existsSync(from)) continue;
    for (const name of readdirSync(from)) {
      if (NOT_THERE.test(name) || (GIT.test(name) && !hasGit) || existsSync(join(programs, name))) continue;
      if (isProgram(join(from, name))) symlinkSync(join(from, name), join(programs, name));
    }
  }
  return programs;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
