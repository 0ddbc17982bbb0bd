// Tags the Go module with the version of the vectors and the path that `publisher.ts` wrote:
// `node apps/scripts/src/release/go-module.ts`. The tag has its own commit, on top of the current checkout: branches
// and the index stay unchanged.
import { strict as assert } from "node:assert";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { GO_MODULE, goModuleOf, writeGoModule } from "../publisher.ts";
import { runIn } from "./project.ts";
import { readmeProgram } from "./readme-program.ts";

/** The origin in the rehearsed module's path: Go knows without a request that this host serves Git. */
const REHEARSED = "https://github.com/nobody/agentprint";
const NO_PUBLISHER = /^module \S*\.invalid\//m;
const BEYOND_MAJOR_1 = /^([2-9]|\d\d)/;

/** The folder to which a tagged module was written, and the options with which Go fetches it from there. */
export interface ServedModule {
  readonly name: string;
  readonly version: string;
  /** Variables with which Go fetches the module by its tag, without a proxy. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Commits the current files of the Go module below `root` on top of HEAD, and tags the commit as Go requires for a
 * module in a folder: `fixtures/ports/go/v1.2.3`. Returns the tag, even if it exists already. Throws if the module's
 * path does not name the publisher, and from major version 2 on, because Go then requires the version in the path.
 */
export function tagGoModule(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, "fixtures/package.json"), "utf8")) as { version: string };
  if (BEYOND_MAJOR_1.test(version))
    throw new Error(`${GO_MODULE}: version ${version} needs its major version in the path of the module`);
  if (NO_PUBLISHER.test(readFileSync(join(root, GO_MODULE, "go.mod"), "utf8")))
    throw new Error(`${GO_MODULE}/go.mod: expected the publisher's path; run apps/scripts/src/publisher.ts first`);
  const tag = `${GO_MODULE}/v${version}`;
  const index = resolve(root, ".git", "index-of-go-module");
  const run = runIn(root, { GIT_INDEX_FILE: index });
  const git = (...words: readonly string[]): string => run("git", words).stdout.trim();
  if (git("tag", "--list", tag) !== "") return tag;
  try {
    git("read-tree", "HEAD");
    git("add", GO_MODULE);
    const commit = git(...COMMITTER, "commit-tree", git("write-tree"), "-p", "HEAD", "-m", `Go module v${version}`);
    git("tag", tag, commit);
  } finally {
    rmSync(index, { force: true });
  }
  return tag;
}

const COMMITTER = ["-c", "user.name=release", "-c", "user.email=release@localhost"];

/** Releases the Go module in the folder `source` into a new repository below `folder`, from which Go fetches it by its tag. */
export function serveGoModule(source: string, version: string, folder: string): ServedModule {
  const root = join(folder, "repository");
  mkdirSync(join(root, GO_MODULE), { recursive: true });
  const git = (...words: readonly string[]): unknown => runIn(root, {})("git", [...COMMITTER, ...words]);
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "--message", "Sources");
  cpSync(source, join(root, GO_MODULE), { recursive: true });
  writeFileSync(join(root, "fixtures/package.json"), JSON.stringify({ version }));
  writeGoModule(root, REHEARSED);
  assert.equal(tagGoModule(root), `${GO_MODULE}/v${version}`);
  const env = {
    GOPROXY: "direct",
    GOSUMDB: "off",
    GOFLAGS: "-mod=mod -modcacherw",
    GOMODCACHE: join(folder, "cache"),
    GOBIN: join(folder, "bin"),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${pathToFileURL(root).href}.insteadOf`,
    GIT_CONFIG_VALUE_0: REHEARSED,
  };
  return { name: goModuleOf(REHEARSED), version: `v${version}`, env };
}

/**
 * Fetches a module with Go into a new project, and runs the program in its README and the examples of the pins there.
 * Returns the project.
 */
export function useGoModule({ name, version, env }: ServedModule, folder: string): string {
  const project = join(folder, "project");
  mkdirSync(project);
  const run = runIn(project, env);
  run("go", ["mod", "init", "stranger"]);
  run("go", ["get", `${name}@${version}`]);
  const module = run("go", ["list", "-m", "-f", "{{.Dir}}", name]).stdout.trim();
  const { source, printed } = readmeProgram(readFileSync(join(module, "README.md"), "utf8"), "main.go");
  writeFileSync(join(project, "main.go"), source);
  run("go", ["vet", "."]);
  assert.equal(run("go", ["run", "."]).stdout, printed);
  const modules = run("go", ["list", "-m", "all"]).stdout.trim().split("\n");
  assert.deepEqual(modules, ["stranger", `${name} ${version}`]);
  run("go", ["test", "-run", "Example", `${name}/toolpins`]);
  return project;
}

if (import.meta.main) {
  try {
    process.stdout.write(`${tagGoModule(".")}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
