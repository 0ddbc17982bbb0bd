import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findBase } from "../../../bench/gate/find-base.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bench-base-"));
  git("init", "--quiet", "--initial-branch=main");
});
afterEach(() => rmSync(root, { recursive: true }));

const IDENTITY = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];

function git(...args: readonly string[]): string {
  return outputOf("git", [...IDENTITY, ...args], { cwd: root }).trim();
}

function write(file: string, text: string): void {
  mkdirSync(join(root, file, ".."), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Commits a different text for a built file; returns the commit. */
function commit(text: string): string {
  write("packages/a/index.ts", text);
  git("add", "--all");
  git("commit", "--quiet", "--message", text);
  return git("rev-parse", "HEAD");
}

test("BENCH_BASE names the base, also where files differ", () => {
  const first = commit("1");
  commit("2");
  git("tag", "before", first);
  write("packages/a/index.ts", "3");
  for (const name of ["before", first, "HEAD~1"]) {
    expect(findBase(root, { BENCH_BASE: name })).toEqual({ commit: first, reason: `BENCH_BASE, ${name}` });
  }
});

test("a BENCH_BASE that is no commit is no base, and no option of Git", () => {
  commit("1");
  commit("2");
  for (const name of ["none", "--all", "0".repeat(40)]) {
    expect(findBase(root, { BENCH_BASE: name })).toEqual({ missing: expect.stringContaining("BENCH_BASE") });
  }
});

test("the last release belongs to the newest tag, or of the version that no tag has yet", () => {
  write("apps/cli/package.json", '{\n  "version": "0.1.0",\n  "a": 1\n}\n');
  const versioned = commit("1");
  write("apps/cli/package.json", '{\n  "version": "0.1.0",\n  "a": 2\n}\n');
  commit("2");
  expect(findBase(root, { BENCH_BASE: "last-release" })).toMatchObject({ commit: versioned });
  const released = commit("3");
  git("tag", "agentprint@0.1.0");
  git("tag", "other@0.1.0", commit("4"));
  expect(findBase(root, { BENCH_BASE: "last-release" })).toMatchObject({ commit: released });
});

test("an empty BENCH_BASE counts as none", () => {
  const first = commit("1");
  commit("2");
  expect(findBase(root, { BENCH_BASE: "" })).toMatchObject({ commit: first });
});

test("the base is HEAD where a built file differs from it or is new, but not for another file", () => {
  const first = commit("1");
  const second = commit("2");
  write("README.md", "text");
  expect(findBase(root, {})).toMatchObject({ commit: first });
  write("packages/a/new.ts", "");
  expect(findBase(root, {})).toMatchObject({ commit: second, reason: expect.stringContaining("HEAD") });
  rmSync(join(root, "packages/a/new.ts"));
  write("packages/a/index.ts", "3");
  expect(findBase(root, {})).toMatchObject({ commit: second });
});

test("the base of a branch is the commit at which it left its target", () => {
  const shared = commit("1");
  git("switch", "--quiet", "--create", "work");
  commit("2");
  commit("3");
  expect(findBase(root, {})).toEqual({ commit: shared, reason: "where this branch left main" });
  git("switch", "--quiet", "main");
  git("switch", "--quiet", "--create", "release");
  const released = commit("4");
  git("update-ref", "refs/remotes/origin/release", released);
  git("switch", "--quiet", "--create", "fix");
  commit("5");
  expect(findBase(root, { GITHUB_BASE_REF: "release" })).toMatchObject({ commit: released });
});

test("on the target branch the base is the commit before HEAD", () => {
  const first = commit("1");
  commit("2");
  expect(findBase(root, {})).toEqual({ commit: first, reason: "the commit before HEAD" });
});

test("a first commit, a shallow clone and a folder without Git have no base", () => {
  expect(findBase(root, {})).toEqual({ missing: expect.stringContaining("not a Git checkout") });
  commit("1");
  expect(findBase(root, {})).toEqual({ missing: expect.stringContaining("no parent") });
  commit("2");
  const clone = join(root, "clone");
  git("clone", "--quiet", "--depth=1", pathToFileURL(root).href, clone);
  expect(findBase(clone, {})).toEqual({ missing: expect.stringContaining("no parent") });
  const bare = mkdtempSync(join(tmpdir(), "bench-none-"));
  expect(findBase(bare, {})).toEqual({ missing: expect.stringContaining("not a Git checkout") });
  rmSync(bare, { recursive: true });
});
