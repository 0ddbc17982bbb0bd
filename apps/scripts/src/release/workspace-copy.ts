import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { manifestIn, PNPM, publicPackages, REPOSITORY, workspacePackages } from "../packed-packages.ts";
import { readRepository, writePublisher } from "../publisher.ts";
import { runIn } from "./project.ts";

/** A copy of the workspace, which can be released like the workspace itself. */
export interface WorkspaceCopy {
  readonly folder: string;
  /** The folders of the published packages, by name. */
  readonly packages: ReadonlyMap<string, string>;
  /** Runs pnpm in the copy; returns its output. */
  readonly pnpm: (...words: readonly string[]) => string;
}

/** The repository that a copy names while the publisher is not set: a name that nobody can own. */
const NOBODY = "https://agentprint.invalid/nobody/agentprint";
/** Matches the import in a module whose code contains the version of its package. */
const OWN_MANIFEST = /^import \w+ from "[./]+\/package\.json" with/m;

/** Copies the sources of the checkout and their builds, and installs the tools. */
export function copyWorkspace(folder: string, registry: LocalRegistry): WorkspaceCopy {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", words, { cwd: REPOSITORY, encoding: "utf8" }).split("\0").filter(Boolean);
  const packages = publicPackages();
  for (const path of [...files, ...Array.from(workspacePackages().values(), (root) => join(root, "dist"))]) {
    if (!existsSync(join(REPOSITORY, path))) continue; // deleted, and not committed yet
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(folder, path), { recursive: true });
  }
  const run = runIn(folder, registry.env);
  const [program, ...first] = PNPM;
  const pnpm = (...words: readonly string[]): string => run(program, [...first, ...words]).stdout;
  pnpm("install", "--frozen-lockfile", "--prefer-offline", `--registry=${registry.upstream}`);
  writeFileSync(join(folder, ".npmrc"), registry.npmrc);
  writePublisher(folder, publisherOf(folder));
  return { folder, packages, pnpm };
}

function publisherOf(folder: string): string {
  try {
    return readRepository(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return NOBODY;
  }
}

/** Returns the versions of the published packages in a copy, by name. */
export function versionsIn({ folder, packages }: WorkspaceCopy): Map<string, string> {
  return new Map(Array.from(packages, ([name, path]) => [name, manifestIn(join(folder, path)).version]));
}

/**
 * Consumes the changesets if there are any, rebuilds the packages whose code contains their manifest, and publishes
 * everything that the registry lacks. Returns the new versions.
 */
export function releaseCopy(copy: WorkspaceCopy): Map<string, string> {
  if (globSync(".changeset/*.md", { cwd: copy.folder }).length > 0) copy.pnpm("release:version");
  const stale = [...copy.packages].filter(([, path]) => hasItsManifest(join(copy.folder, path)));
  for (const [name] of stale) copy.pnpm("--filter", name, "build");
  copy.pnpm("exec", "changeset", "publish", "--no-git-tag");
  return versionsIn(copy);
}

function hasItsManifest(root: string): boolean {
  return globSync("src/**/*.ts", { cwd: root }).some((path) =>
    OWN_MANIFEST.test(readFileSync(join(root, path), "utf8")),
  );
}
