import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { outputOf, runBeside } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changedProjects } from "../../../bench/gate/changed-projects.ts";

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-build-"));
  root = join(folder, "checkout");
  write("pnpm-lock.yaml", "lockfileVersion: 1\n");
  write("tsconfig.base.json", "{}");
  write("packages/a/package.json", '{"name":"a"}');
  write("packages/a/src/index.ts", "export const a = 1;\n");
  write("packages/b/package.json", '{"name":"b"}');
  write("lab/package.json", '{"name":"lab","dependencies":{"a":"workspace:^"}}');
  write("lab/bench/suites.ts", "export const SUITES = {};\n");
  git("init", "--quiet", "--initial-branch=main");
  commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: readonly string[]): string {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
  return outputOf("git", [...identity, ...args], { cwd: root }).trim();
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function commit(): string {
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", "change");
  return git("rev-parse", "HEAD");
}

/** Builds the base in its own process, with its own cache. */
async function build(commit: string): Promise<{ folder: string; benchmarks: string }> {
  const module = new URL("../../../bench/gate/build-base.ts", import.meta.url).href;
  const script = `import { buildBase } from ${JSON.stringify(module)};
    console.log(JSON.stringify(buildBase(process.argv[1], process.argv[2])));`;
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
  const args = ["--input-type=module", "--eval", script, "--", root, commit];
  const { code, stdout, stderr } = await runBeside(process.execPath, args, { env });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test("a base has the packages of its commit, and the benchmarks of the checkout", async () => {
  const base = git("rev-parse", "HEAD");
  write("packages/a/src/index.ts", "export const a = 2;\n");
  write("lab/bench/suites.ts", "export const SUITES = { more: 1 };\n");
  const built = await build(base);
  expect(readFileSync(join(built.folder, "packages/a/src/index.ts"), "utf8")).toContain("a = 1");
  expect(readFileSync(join(built.benchmarks, "bench/suites.ts"), "utf8")).toContain("more");
  expect([...changedProjects(root, built.folder)].sort()).toEqual(["lab", "packages/a"]);
  expect(await build(base)).toEqual(built);
});

test("text about a package changes no project; another lockfile changes all", async () => {
  const built = await build(git("rev-parse", "HEAD"));
  write("packages/a/README.md", "text");
  write("packages/a/test/a.test.ts", "");
  expect([...changedProjects(root, built.folder)]).toEqual([]);
  write("pnpm-lock.yaml", "lockfileVersion: 2\n");
  expect(changedProjects(root, built.folder)).toEqual(new Set(["packages/a", "packages/b", "lab", "integrations"]));
});

test("several processes that build one base at once get one complete folder", async () => {
  const base = git("rev-parse", "HEAD");
  const built = await Promise.all(Array.from({ length: 4 }, () => build(base)));
  for (const each of built) expect(each).toEqual(built[0]);
  expect(existsSync(join(built[0]?.benchmarks ?? "", "bench/suites.ts"))).toBe(true);
  expect(readdirSync(dirname(built[0]?.folder ?? ""))).toEqual([base]);
});

test("a base that cannot be built is an error, and leaves nothing that looks built", async () => {
  write("lab/package.json", '{"name":"lab","scripts":{"build":"tsdown"}}');
  await expect(build(commit())).rejects.toThrow("tsdown");
  expect(
    readdirSync(join(folder, "cache/agentprint-bench")).flatMap((name) =>
      readdirSync(join(folder, "cache/agentprint-bench", name)),
    ),
  ).toEqual([]);
});
